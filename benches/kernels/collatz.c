// The longest chain of 3x + 1: a loop whose end nobody can foresee.
#include <stdint.h>

int64_t kernel(int64_t n) {
    int64_t longest = 0, start = 0;
    for (int64_t i = 1; i <= n; i++) {
        uint64_t x = (uint64_t)i;
        int64_t length = 0;
        while (x != 1) {
            x = x & 1 ? 3 * x + 1 : x >> 1;
            length++;
        }
        if (length > longest) {
            longest = length;
            start = i;
        }
    }
    return longest << 32 | start;
}
