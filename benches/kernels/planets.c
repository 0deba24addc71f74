// Bodies that attract each other, all pairs in each step: division and square root.
#include <stdint.h>
#pragma STDC FP_CONTRACT OFF

enum { BODIES = 6 };

static double position[BODIES][3], velocity[BODIES][3], mass[BODIES];

static void reset(void) {
    for (int i = 0; i < BODIES; i++) {
        mass[i] = 1.0 / (1 + i);
        for (int axis = 0; axis < 3; axis++) {
            position[i][axis] = (i * 5 + axis * 3) % 7 - 3.0;
            velocity[i][axis] = ((i * 3 + axis * 2) % 5 - 2.0) / 64;
        }
    }
}

static void attract(int i, int j) {
    double away[3], square = 0.01;
    for (int axis = 0; axis < 3; axis++) {
        away[axis] = position[i][axis] - position[j][axis];
        square += away[axis] * away[axis];
    }
    double pull = 0.001 / (square * __builtin_elementwise_sqrt(square));
    for (int axis = 0; axis < 3; axis++) {
        velocity[i][axis] -= away[axis] * mass[j] * pull;
        velocity[j][axis] += away[axis] * mass[i] * pull;
    }
}

int64_t kernel(int64_t n) {
    reset();
    for (int64_t step = 0; step < n; step++) {
        for (int i = 0; i < BODIES; i++)
            for (int j = i + 1; j < BODIES; j++)
                attract(i, j);
        for (int i = 0; i < BODIES; i++)
            for (int axis = 0; axis < 3; axis++)
                position[i][axis] += 0.001 * velocity[i][axis];
    }
    double sum = 0;
    for (int i = 0; i < BODIES; i++)
        sum += position[i][0] + 3 * position[i][1] + 7 * velocity[i][2];
    return (int64_t)(sum * 1e9);
}
