use super::*;

fn tokens(text: &str) -> Vec<Token> {
    let mut lexer = Lexer::new(text, 0..text.len() as Offset);
    let tokens = std::iter::from_fn(|| Some(lexer.next()));
    tokens.take_while(|token| token.kind != Kind::End).collect()
}

fn kinds(text: &str) -> Vec<Kind> {
    tokens(text).iter().map(|token| token.kind).collect()
}

#[test]
fn names_and_numbers_behind_sigils_are_told_apart() {
    use Kind::{Comdat, Global, GlobalNumber, Local, LocalNumber, Metadata, MetadataNumber};
    assert_eq!(kinds("%a.b-$_1 %7 %\"x y\""), [Local, LocalNumber, Local]);
    assert_eq!(
        kinds("@f @7 @\"\\01f\" $c $\"d e\""),
        [Global, GlobalNumber, Global, Comdat, Comdat]
    );
    assert_eq!(kinds("!7 !dbg !a\\20b"), [MetadataNumber, Metadata, Metadata]);
    assert_eq!(
        kinds("!{ !\"s\""),
        [Kind::Exclamation, Kind::Mark(b'{'), Kind::Exclamation, Kind::Text]
    );
    assert_eq!(kinds("#7 #dbg_value ^3"), [Kind::Group, Kind::Record, Kind::Summary]);
    assert_eq!(kinds("% @ # ^ é"), [Kind::Bad; 5]);
}

#[test]
fn words_and_widths_are_found() {
    let found = kinds("add i32 ptr addition c\"x\\00\" \"y\" ...");
    let expected = [
        Kind::Word(Word::Add),
        Kind::IntegerType,
        Kind::Word(Word::Ptr),
        Kind::Unknown,
        Kind::Bytes,
        Kind::Text,
        Kind::Ellipsis,
    ];
    assert_eq!(found, expected);
    assert_eq!(
        tokens("i32 %17 i99999999999999999999").iter().map(|t| t.number).collect::<Vec<_>>(),
        [32, 17, u64::MAX]
    );
}

#[test]
fn numbers_are_told_apart() {
    use Kind::{Bad, Decimal, HexFloat, HexInteger, Integer, Unclosed};
    assert_eq!(
        kinds("12 -12 1.5 -1.5e+3 +2. 1.e5"),
        [Integer, Integer, Decimal, Decimal, Decimal, Decimal]
    );
    assert_eq!(
        kinds("0x3FF0 0xKABC 0xH3C00 u0xFF s0x1"),
        [HexFloat, HexFloat, HexFloat, HexInteger, HexInteger]
    );
    assert_eq!(kinds("+1 0x - \"open"), [Bad, Bad, Bad, Unclosed]);
}

#[test]
fn comments_and_space_are_skipped() {
    assert_eq!(kinds("; one % \" two\n 1 /* 2\n3 */ 4 ;"), [Kind::Integer; 2]);
    assert_eq!(kinds("/* open"), []);
}

#[test]
fn reading_stops_at_the_end_of_the_piece() {
    let mut lexer = Lexer::new("abc def", 2..5);
    let ends: Vec<Offset> = (0..3).map(|_| lexer.next().end).collect();
    assert_eq!(ends, [3, 5, 5]);
    assert_eq!(lexer.work(), 3);
}
