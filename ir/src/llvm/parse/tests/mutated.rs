//! Texts that are almost right never make the reader panic.

use super::*;

/// Numbers that look random (xorshift), the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// The tokens of a text, with the space before each.
fn tokens(text: &str) -> Vec<&str> {
    let mut lexer = super::super::super::lexer::Lexer::new(text, 0..text.len() as u32);
    let mut start = 0;
    let mut tokens = Vec::new();
    loop {
        let token = lexer.next();
        if token.start == token.end {
            return tokens;
        }
        tokens.push(&text[start..token.end as usize]);
        start = token.end as usize;
    }
}

/// Exchanges, drops or doubles a few tokens.
fn mutate(numbers: &mut Numbers, tokens: &[&str]) -> String {
    let mut tokens = tokens.to_vec();
    for _ in 0..=numbers.below(3) {
        let (at, from) = (numbers.below(tokens.len()), numbers.below(tokens.len()));
        match numbers.below(4) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[from]),
            2 => tokens[at] = tokens[from],
            _ => tokens.swap(at, from),
        }
    }
    tokens.concat()
}

#[test]
fn texts_with_exchanged_tokens_are_read_without_panic() {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    for text in [SAMPLE, OLDER] {
        let tokens = tokens(text);
        let mut wrong = 0;
        for _ in 0..1000 {
            let mutated = mutate(&mut numbers, &tokens);
            let errors = read(&mutated).errors;
            assert!(errors.iter().all(|error| error.span.end <= mutated.len()));
            wrong += usize::from(!errors.is_empty());
        }
        assert!(wrong > 500, "{wrong}");
    }
}

#[test]
fn texts_with_exchanged_bytes_are_read_without_panic() {
    const BYTES: &[u8] = b"\0 \n\"\\;%@!#^$*<>{}[](),:=-+.|/019axiN_\x7f";
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for _ in 0..1000 {
        let mut bytes = SAMPLE.as_bytes().to_vec();
        for _ in 0..=numbers.below(4) {
            let at = numbers.below(bytes.len());
            bytes[at] = BYTES[numbers.below(BYTES.len())];
        }
        read(str::from_utf8(&bytes).unwrap());
    }
}

#[test]
fn texts_that_end_early_are_read_without_panic() {
    for text in [SAMPLE, OLDER] {
        for end in (0..text.len()).step_by(7) {
            read(&text[..end]);
        }
    }
}

#[test]
fn characters_of_several_bytes_are_read_without_panic() {
    let mut numbers = Numbers(1);
    for _ in 0..300 {
        let at = numbers.below(SAMPLE.len());
        read(&format!("{}é€😀{}", &SAMPLE[..at], &SAMPLE[at..]));
    }
}
