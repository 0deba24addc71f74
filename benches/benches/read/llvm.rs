//! LLVM's own reader.

use std::error::Error;
use std::ffi::CStr;
use std::ptr;
use std::time::{Duration, Instant};

use llvm_sys::core::{
    LLVMContextCreate, LLVMContextDispose, LLVMCreateMemoryBufferWithMemoryRangeCopy,
    LLVMDisposeMemoryBuffer, LLVMDisposeMessage, LLVMDisposeModule,
};
use llvm_sys::ir_reader::LLVMParseIRInContext2;

/// How long it takes, without making and freeing what it reads into.
pub(crate) fn read(text: &str) -> Result<Duration, Box<dyn Error>> {
    // SAFETY: the buffer is a copy of the text, both out pointers can be written, and all
    // that is made is freed once: the module before its context.
    unsafe {
        let context = LLVMContextCreate();
        let name = c"text".as_ptr();
        let start = text.as_ptr().cast();
        let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(start, text.len(), name);
        let (mut module, mut message) = (ptr::null_mut(), ptr::null_mut());
        let began = Instant::now();
        let failed = LLVMParseIRInContext2(context, buffer, &raw mut module, &raw mut message) != 0;
        let took = began.elapsed();
        let read = match failed {
            false => {
                LLVMDisposeModule(module);
                Ok(took)
            }
            true => {
                let error = CStr::from_ptr(message).to_string_lossy().into_owned();
                LLVMDisposeMessage(message);
                Err(error.into())
            }
        };
        LLVMDisposeMemoryBuffer(buffer);
        LLVMContextDispose(context);
        read
    }
}
