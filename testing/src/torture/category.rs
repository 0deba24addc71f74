//! What programs are about: by their place in the suite, their name, and the words that
//! stand in them.

/// What a program is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Category(usize);

impl Category {
    /// What it is called in reports.
    pub fn name(self) -> &'static str {
        RULES.get(self.0).map_or("scalars and calls", |rule| rule.name)
    }
}

/// How programs of a category are known: by any of these.
struct Rule {
    name: &'static str,
    /// What their name begins with.
    names: &'static [&'static str],
    /// What stands in their text.
    words: &'static [&'static str],
}

/// From the rare to the common: a program belongs to the first that fits.
const RULES: &[Rule] = &[
    rule("builtins: own library", &["builtins/"], &[]),
    rule("ieee", &["ieee/"], &[]),
    rule("nested functions", &["nest", "trampoline"], &[]),
    rule("setjmp", &[], &["setjmp"]),
    rule("computed goto", &["comp-goto"], &["goto *", "goto*"]),
    rule("varargs", &["va-arg", "stdarg"], &["va_start", "va_arg"]),
    rule("alloca and arrays of run-time size", &["vla", "align-nest"], &["alloca"]),
    rule("vectors", &["simd", "scal-to-vec"], &["vector_size"]),
    rule("complex numbers", &["complex"], &["_Complex", "__complex__"]),
    rule("atomics", &[], &["__atomic_", "__sync_"]),
    rule("inline assembly", &[], &["asm (", "asm(", "__asm", "asm volatile"]),
    rule("wide integers", &[], &["__int128", "TImode", "mode (TI)", "mode(TI)"]),
    rule("bit-fields", &["bf", "bitf"], &[]),
    rule("floats", &["float", "conversion"], &["float", "double"]),
    rule(
        "strings and memory",
        &["str", "mem", "wchar", "widechar", "printf", "fprintf", "vprintf", "vfprintf"],
        &["memcpy", "memset", "memcmp", "memmove", "strlen", "strcpy", "strcmp", "printf"],
    ),
    rule("overflow", &[], &["_overflow"]),
    rule("packed and aligned", &["packed", "align"], &["packed", "aligned"]),
    rule(
        "builtins",
        &["builtin"],
        &["builtin_c", "builtin_f", "builtin_p", "builtin_b", "builtin_u", "builtin_r"],
    ),
    rule("structs and unions", &["struct", "strct"], &["struct ", "union "]),
    rule("loops", &["loop", "doloop"], &["for (", "while (", "for(", "while(", "do {"]),
];

const fn rule(
    name: &'static str,
    names: &'static [&'static str],
    words: &'static [&'static str],
) -> Rule {
    Rule { name, names, words }
}

/// The rule of bit-fields, whose texts no word tells.
const BIT_FIELDS: &str = "bit-fields";

/// What the program of that name and text is about.
pub(super) fn category(name: &str, text: &str) -> Category {
    let fits = |rule: &Rule| {
        rule.names.iter().any(|start| name.starts_with(start))
            || rule.words.iter().any(|word| text.contains(word))
            || (rule.name == BIT_FIELDS && text.lines().any(declares_bit_field))
    };
    Category(RULES.iter().position(fits).unwrap_or(RULES.len()))
}

/// Whether a line has a colon between a name and a number that ends a declaration.
fn declares_bit_field(line: &str) -> bool {
    let is_choice = line.contains('?') || line.contains("case ") || line.contains('"');
    let mut parts = line.split(':');
    let mut before = parts.next().unwrap_or_default();
    for part in parts {
        let name = before.trim_end();
        let number = part.trim_start();
        let behind = number.trim_start_matches(|c: char| c.is_ascii_digit());
        let has_number = behind.len() < number.len();
        if has_number
            && name.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
            && behind.trim_start().starts_with([';', ','])
            && !is_choice
        {
            return true;
        }
        before = part;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::category;

    #[test]
    fn a_program_belongs_to_the_rarest_that_fits() {
        let of = |name, text| category(name, text).name();
        assert_eq!(of("ieee/a", "float x; struct s"), "ieee");
        assert_eq!(of("a", "struct s { int a : 3; };"), "bit-fields");
        assert_eq!(of("a", "struct s { int a; } x = c ? y : 3;"), "structs and unions");
        assert_eq!(of("a", "for (;;) goto *p;"), "computed goto");
        assert_eq!(of("a", "int main (void) { return 0; }"), "scalars and calls");
    }
}
