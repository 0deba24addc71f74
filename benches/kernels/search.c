// Patterns looked for in a text, with Horspool's table of shifts.
#include <stdint.h>

enum { SIZE = 8192 };

static uint8_t text[SIZE];

static void prepare(void) {
    uint32_t state = 99;
    for (int i = 0; i < SIZE; i++) {
        state = state * 1664525u + 1013904223u;
        text[i] = 'a' + (state >> 24) % 6;
    }
}

static int64_t occurrences(const uint8_t *pattern, int64_t length) {
    uint8_t shifts[256];
    for (int i = 0; i < 256; i++)
        shifts[i] = (uint8_t)length;
    for (int64_t i = 0; i + 1 < length; i++)
        shifts[pattern[i]] = (uint8_t)(length - 1 - i);
    int64_t count = 0;
    for (int64_t at = 0; at + length <= SIZE; at += shifts[text[at + length - 1]]) {
        int64_t same = length;
        while (same > 0 && text[at + same - 1] == pattern[same - 1])
            same--;
        count += same == 0;
    }
    return count;
}

int64_t kernel(int64_t n) {
    prepare();
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t start = (sum * 31 + i * 17) & 4095, length = 4 + (i & 7);
        sum += 1 + occurrences(text + start, length);
    }
    return sum;
}
