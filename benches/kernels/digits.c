// Numbers to decimal text and back: division by ten, bytes one at a time.
#include <stdint.h>

static int write_number(uint64_t value, char *text) {
    char reversed[24];
    int count = 0;
    do {
        reversed[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    for (int i = 0; i < count; i++)
        text[i] = reversed[count - 1 - i];
    text[count] = 0;
    return count;
}

static uint64_t read_number(const char *text) {
    uint64_t value = 0;
    for (; *text >= '0' && *text <= '9'; text++)
        value = value * 10 + (uint64_t)(*text - '0');
    return value;
}

int64_t kernel(int64_t n) {
    char text[24];
    uint64_t state = 1, sum = 0;
    for (int64_t i = 0; i < n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        int count = write_number(state >> (state & 63), text);
        sum = sum * 31 + (uint64_t)count + read_number(text);
    }
    return (int64_t)sum;
}
