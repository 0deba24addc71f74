// Quicksort, insertion below twelve: branches that nothing predicts, and recursion.
#include <stdint.h>

enum { SIZE = 2000 };

static int32_t values[SIZE];

static void insert_all(int32_t *low, int32_t *high) {
    for (int32_t *at = low + 1; at <= high; at++) {
        int32_t value = *at, *to = at;
        for (; to > low && to[-1] > value; to--)
            *to = to[-1];
        *to = value;
    }
}

static void sort(int32_t *low, int32_t *high) {
    while (high - low >= 12) {
        int32_t pivot = low[(high - low) / 2], *left = low, *right = high;
        while (left <= right) {
            while (*left < pivot)
                left++;
            while (*right > pivot)
                right--;
            if (left <= right) {
                int32_t kept = *left;
                *left++ = *right;
                *right-- = kept;
            }
        }
        sort(low, right);
        low = left;
    }
    insert_all(low, high);
}

int64_t kernel(int64_t n) {
    uint32_t state = 1;
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int k = 0; k < SIZE; k++) {
            state = state * 1664525u + 1013904223u;
            values[k] = (int32_t)state;
        }
        sort(values, values + SIZE - 1);
        sum += values[0] ^ values[SIZE / 2] ^ values[(sum + i) & 1023];
    }
    return sum;
}
