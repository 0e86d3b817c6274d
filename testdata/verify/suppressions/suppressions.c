// SPDX-License-Identifier: Apache-2.0
// Suppression comments in real sources: which hide a finding, which are stale, which are no good.
#include "lib.h"

int hidden_on_the_line(struct slice *s, cudaStream_t stream)
{
    struct guard g;
    float *p = lib_begin(s, stream, &g);
    lib_end(&g);
    return cudaMemsetAsync(p, 0, 4, stream); // guardlint: allow(released-before-launch) one stream only
}

int hidden_on_the_line_above(struct slice *s, cudaStream_t stream)
{
    struct guard g;
    float *p = lib_begin(s, stream, &g);
    lib_end(&g);
    /* guardlint: allow(guard-leak, released-before-launch) one stream only */ // expect: stale-suppression
    return cudaMemsetAsync(p, 0, 4, stream);
}

int too_far_away(struct slice *s, cudaStream_t stream)
{
    /* guardlint: allow(released-before-launch) two lines up does not count */ // expect: stale-suppression
    struct guard g;
    float *p = lib_begin(s, stream, &g);
    lib_end(&g);
    return cudaMemsetAsync(p, 0, 4, stream); // expect: released-before-launch
}

int no_reason(struct slice *s, cudaStream_t stream)
{
    struct guard g;
    float *p = lib_begin(s, stream, &g);
    lib_end(&g);
    /* guardlint: allow(released-before-launch) */ // expect: bad-suppression
    return cudaMemsetAsync(p, 0, 4, stream); // expect: released-before-launch
}

int unknown_check(struct slice *s, cudaStream_t stream)
{
    struct guard g;
    float *p = lib_begin(s, stream, &g);
    lib_end(&g);
    /* guardlint: allow(released-before-lunch) a typing mistake */ // expect: bad-suppression
    return cudaMemsetAsync(p, 0, 4, stream); // expect: released-before-launch
}

/* guardlint: allow(held-too-long) a check that is off is never stale */
int nothing(void)
{
    return 0;
}
