// CRC-32 by a table of 256: each byte waits for the one before.
#include <stdint.h>

enum { SIZE = 4096 };

static uint32_t table[256];
static uint8_t text[SIZE];

static void prepare(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? 0xedb88320u ^ value >> 1 : value >> 1;
        table[i] = value;
    }
    for (uint32_t i = 0; i < SIZE; i++)
        text[i] = (uint8_t)(i * 167 + (i >> 5));
}

static uint32_t crc(uint32_t value, const uint8_t *bytes, int64_t count) {
    value = ~value;
    for (int64_t i = 0; i < count; i++)
        value = table[(value ^ bytes[i]) & 0xff] ^ value >> 8;
    return ~value;
}

int64_t kernel(int64_t n) {
    prepare();
    uint32_t value = 0;
    for (int64_t i = 0; i < n; i++)
        value = crc(value, text, SIZE);
    return value;
}
