// The knapsack filled from below: dynamic programming over one array, a maximum a cell.
#include <stdint.h>

enum { CAPACITY = 1000, ITEMS = 24 };

static int32_t best[CAPACITY + 1];

static int32_t fill(uint32_t seed) {
    for (int i = 0; i <= CAPACITY; i++)
        best[i] = 0;
    for (int item = 0; item < ITEMS; item++) {
        seed = seed * 1664525u + 1013904223u;
        int weight = 3 + (int)(seed >> 26), value = 1 + (int)(seed >> 16 & 127);
        for (int room = CAPACITY; room >= weight; room--) {
            int32_t taken = best[room - weight] + value;
            if (taken > best[room])
                best[room] = taken;
        }
    }
    return best[CAPACITY];
}

int64_t kernel(int64_t n) {
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += fill((uint32_t)(sum + i));
    return sum;
}
