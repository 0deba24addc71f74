// Three neighbours averaged, there and back: float arithmetic along an array, strict.
#include <stdint.h>
#pragma STDC FP_CONTRACT OFF

enum { SIZE = 2048 };

static float one[SIZE], other[SIZE];

static void smooth(float *restrict to, const float *restrict from) {
    for (int i = 1; i < SIZE - 1; i++)
        to[i] = 0.25f * from[i - 1] + 0.5f * from[i] + 0.25f * from[i + 1];
}

int64_t kernel(int64_t n) {
    for (int i = 0; i < SIZE; i++)
        one[i] = other[i] = (float)(i * i % 101);
    for (int64_t i = 0; i < n; i++) {
        smooth(other, one);
        smooth(one, other);
        one[i & (SIZE - 1)] += 1.0f;
    }
    double sum = 0;
    for (int i = 0; i < SIZE; i++)
        sum += (double)one[i] * (i & 31);
    return (int64_t)(sum * 1000);
}
