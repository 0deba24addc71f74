// Counters in 8 MiB, each step at one without pattern: reads and writes that miss.
#include <stdint.h>

enum { COUNTERS = 1 << 21 };

static uint32_t counters[COUNTERS];

int64_t kernel(int64_t n) {
    __builtin_memset(counters, 0, sizeof counters);
    uint64_t state = 1;
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        sum += counters[state >> 43]++;
    }
    return sum;
}
