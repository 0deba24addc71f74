// Quaternions of four floats turned into each other: structs in and out of functions.
#include <stdint.h>
#pragma STDC FP_CONTRACT OFF

struct quaternion {
    float w, x, y, z;
};

static struct quaternion product(struct quaternion a, struct quaternion b) {
    struct quaternion c;
    c.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
    c.x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
    c.y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
    c.z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
    return c;
}

static struct quaternion conjugate(struct quaternion a) {
    return (struct quaternion){a.w, -a.x, -a.y, -a.z};
}

static struct quaternion rotate(struct quaternion turn, struct quaternion point) {
    return product(product(turn, point), conjugate(turn));
}

int64_t kernel(int64_t n) {
    // Halves and quarters: a turn by 120 degrees, exact at every step.
    struct quaternion turn = {0.5f, 0.5f, 0.5f, 0.5f}, point = {0, 1, 2, 3};
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        point = rotate(turn, point);
        point.x += (float)(i & 1);
        if (point.x > 1024)
            point.x = 0;
        turn = (i & 7) == 7 ? conjugate(turn) : turn;
        sum += (int64_t)(point.x + 2 * point.y + 4 * point.z);
    }
    return sum;
}
