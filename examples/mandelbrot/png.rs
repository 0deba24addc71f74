//! Pictures as PNG files, their points stored as they are: no compression is
//! needed to be read by everything.

/// The most bytes of a stored block.
const BLOCK: usize = 65_535;

/// A PNG file of `width` by `height` points, three bytes (red, green, blue)
/// each in `rgb`, row by row from the top.
pub(crate) fn encode(width: u32, height: u32, rgb: &[u8]) -> Vec<u8> {
    let mut header = Vec::new();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    // Eight bits a channel, three channels, and the only methods there are.
    header.extend([8, 2, 0, 0, 0]);
    let mut rows = Vec::new();
    for row in rgb.chunks(width as usize * 3) {
        // Each row begins with its filter: none.
        rows.push(0);
        rows.extend(row);
    }
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut file, *b"IHDR", &header);
    chunk(&mut file, *b"IDAT", &stored(&rows));
    chunk(&mut file, *b"IEND", &[]);
    file
}

fn chunk(file: &mut Vec<u8>, name: [u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let begin = file.len();
    file.extend(name);
    file.extend(data);
    let sum = crc32(&file[begin..]);
    file.extend(sum.to_be_bytes());
}

/// A zlib stream of stored blocks.
fn stored(data: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let count = data.len().div_ceil(BLOCK);
    for (index, block) in data.chunks(BLOCK).enumerate() {
        let size = block.len() as u16;
        stream.push(u8::from(index + 1 == count));
        stream.extend(size.to_le_bytes());
        stream.extend((!size).to_le_bytes());
        stream.extend(block);
    }
    stream.extend(adler32(data).to_be_bytes());
    stream
}

fn adler32(data: &[u8]) -> u32 {
    let (a, b) = data.iter().fold((1, 0), |(a, b), &byte| {
        let a = (a + u32::from(byte)) % 65_521;
        (a, (a + b) % 65_521)
    });
    b << 16 | a
}

fn crc32(data: &[u8]) -> u32 {
    let step = |sum: u32, &byte: &u8| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| {
            let polynomial = if sum & 1 == 1 { 0xedb8_8320 } else { 0 };
            sum >> 1 ^ polynomial
        })
    };
    !data.iter().fold(!0, step)
}
