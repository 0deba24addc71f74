//! Lines of a text counted: a comparison and a sum, eight bits wide.

const SIZE: usize = 8192;

fn lines(text: &[u8]) -> i64 {
    text.iter().filter(|&&byte| byte == b'\n').count() as i64
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let mut text = [0_u8; SIZE];
    for (index, byte) in text.iter_mut().enumerate() {
        *byte = (index * index % 47) as u8;
    }
    let mut sum = 0;
    for i in 0..n {
        text[((sum + i) & 8191) as usize] = (i & 15) as u8;
        sum += lines(&text);
    }
    sum
}
