//! A unit that has everything: code of two inlined calls, one within the other, code without a
//! line, and a call whose code lies in two places.

use brolga_lowering::unit::{CompiledUnit, LineEntry, SourceFrame};

pub(crate) const ADDRESS: u64 = 0x7f00_1234_5000;
pub(crate) const TEXT: &str = "kernel.bir";
/// Bytes of its code.
pub(crate) const LENGTH: usize = 40;

fn frame(function: Option<&str>, file: Option<&str>, line: u32, at: Option<u32>) -> SourceFrame {
    SourceFrame {
        function: function.map(Into::into),
        file: file.map(Into::into),
        line,
        column: line / 10,
        inlined_at: at,
    }
}

/// The unit, of a name.
pub(crate) fn unit(name: &str) -> CompiledUnit {
    // push rbp; mov rbp, rsp; nops; mov rsp, rbp; pop rbp; ret; a constant
    let mut code = vec![0x55, 0x48, 0x89, 0xe5];
    code.resize(27, 0x90);
    code.extend([0x48, 0x89, 0xec, 0x5d, 0xc3]);
    code.resize(LENGTH, 0xee);
    let lines =
        [(6, Some(1)), (8, Some(2)), (12, Some(1)), (16, Some(3)), (20, None), (24, Some(1))];
    CompiledUnit {
        name: name.into(),
        code,
        align: 16,
        frames: vec![
            frame(None, None, 10, None),
            frame(Some("inner"), Some("a.jl"), 20, Some(0)),
            frame(Some("innermost"), Some("b.jl"), 30, Some(1)),
            frame(None, None, 11, None),
        ],
        lines: lines.map(|(offset, frame)| LineEntry { offset, frame }).into(),
        frame_size: 16,
        ..CompiledUnit::default()
    }
}
