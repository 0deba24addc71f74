//! Templates whose meaning is known: those that headers and compilers write.

/// What a template does, apart from what its constraints say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Template {
    /// Nothing.
    Empty,
    /// Orders all accesses.
    Fence,
    /// Gives the bytes of its operand the other way round.
    SwapBytes,
    /// Asks what the processor can do, and learns that it is the least of its kind:
    /// every number is 0.
    Capabilities,
    /// Gives a number that grows, low half first.
    Counter,
}

/// How a line of a template begins, and what that makes of the template. The operands
/// behind are not looked at but where they are part of the row.
const LINES: &[(&str, Template)] = &[
    ("nop", Template::Empty),
    ("pause", Template::Empty),
    ("rep", Template::Empty),
    ("lock", Template::Empty),
    ("yield", Template::Empty),
    (".p2align", Template::Empty),
    (".balign", Template::Empty),
    (".align", Template::Empty),
    ("mfence", Template::Fence),
    ("lfence", Template::Fence),
    ("sfence", Template::Fence),
    ("bswap", Template::SwapBytes),
    ("bswapl", Template::SwapBytes),
    ("bswapq", Template::SwapBytes),
    ("cpuid", Template::Capabilities),
    ("xgetbv", Template::Capabilities),
    ("rdtsc", Template::Counter),
];

/// The template, if it is one of those whose meaning is known.
pub(super) fn known(template: &[u8]) -> Option<Template> {
    let template = std::str::from_utf8(template).ok()?;
    let mut all = Template::Empty;
    for line in template.split(['\n', ';']) {
        let line = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> =
            line.split([' ', '\t', ',']).filter(|word| !word.is_empty()).collect();
        match (known_line(&words)?, all) {
            (Template::Empty, _) => {}
            (one, Template::Empty) => all = one,
            (one, other) if one == other => {}
            _ => return None,
        }
    }
    Some(all)
}

fn known_line(words: &[&str]) -> Option<Template> {
    match words {
        [] | ["rep", "nop"] => Some(Template::Empty),
        // Half of a 16-bit word turned into the other.
        ["rorw" | "rolw", "$$8", _] => Some(Template::SwapBytes),
        // What a program orders accesses by where it cannot count on `mfence`.
        ["lock", rest @ ..] if !rest.is_empty() => known_line(rest),
        ["addl" | "orl" | "addq" | "orq", "$$0" | "$$0x0", place] if is_stack(place) => {
            Some(Template::Fence)
        }
        // `cpuid` overwrites a register that position-independent code needs.
        ["xchg" | "xchgq" | "xchgl" | "mov" | "movq" | "movl", one, other]
            if is_base(one) || is_base(other) =>
        {
            Some(Template::Capabilities)
        }
        [name, ..] => {
            let row = LINES.iter().find(|(known, _)| known == name);
            let has_operand = words.len() > 1;
            let takes_operand = name.starts_with('.') || name.starts_with("bswap");
            row.filter(|_| has_operand == takes_operand).map(|&(_, template)| template)
        }
    }
}

fn is_stack(place: &str) -> bool {
    place.ends_with("(%rsp)") || place.ends_with("(%esp)")
}

fn is_base(register: &str) -> bool {
    matches!(register, "%rbx" | "%ebx" | "rbx" | "ebx")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_stands_alone_or_beside_what_does_nothing() {
        let both = known(b"bswap $0\n\tnop");
        assert_eq!(both, Some(Template::SwapBytes));
        assert_eq!(known(b"cpuid\n\tmfence"), None);
        assert_eq!(known(b"mov $0, $1"), None);
        assert_eq!(known(b"rdtsc $0"), None);
        assert_eq!(known(b"bswap"), None);
        assert_eq!(known(b"\xff"), None);
    }

    #[test]
    fn both_spellings_of_a_locked_fence_are_one() {
        for template in ["lock; addl $$0,0(%rsp)", "lock orl $$0, (%rsp)"] {
            assert_eq!(known(template.as_bytes()), Some(Template::Fence), "{template}");
        }
        assert_eq!(known(b"addl $$0, $0"), None);
    }
}
