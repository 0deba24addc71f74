// A sum in any order, of small whole numbers, so that every order gives the same.
#include <stdint.h>
#pragma clang fp reassociate(on)

enum { SIZE = 4096 };

static float values[SIZE];

int64_t kernel(int64_t n) {
    for (int i = 0; i < SIZE; i++)
        values[i] = (float)(i % 61 - 30);
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        values[(sum + i) & (SIZE - 1)] = (float)(i & 15);
        float total = 0;
        for (int k = 0; k < SIZE; k++)
            total += values[k];
        sum += (int64_t)total;
    }
    return sum;
}
