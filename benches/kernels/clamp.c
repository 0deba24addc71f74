// Values held between two bounds and scaled: selections of floats, no branch needed.
#include <stdint.h>
#pragma STDC FP_CONTRACT OFF

enum { SIZE = 4096 };

static float values[SIZE];

static void clamp(float low, float high) {
    for (int i = 0; i < SIZE; i++) {
        float x = values[i] * 1.5f;
        x = x < low ? low : x;
        values[i] = x > high ? high : x;
    }
}

int64_t kernel(int64_t n) {
    for (int i = 0; i < SIZE; i++)
        values[i] = (float)(i % 401) - 200.0f;
    for (int64_t i = 0; i < n; i++) {
        clamp(-1000.0f + (float)(i & 255), 1000.0f);
        values[i & (SIZE - 1)] = (float)(i & 63) - 32.0f;
    }
    double sum = 0;
    for (int i = 0; i < SIZE; i++)
        sum += (double)values[i] * (i & 7);
    return (int64_t)(sum * 16);
}
