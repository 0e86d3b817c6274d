/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes a column with a chain of kernels: the column is cut in splits, each split goes to the next of
 * several streams, through a ring of device slots that streams share. No code here orders anything: guardrt
 * makes a split wait for the slot's last user, and only for that.
 */
#ifndef GUARDKERNELS_EXAMPLES_DECODE_H
#define GUARDKERNELS_EXAMPLES_DECODE_H

#include "column.h"

enum { DECODE_STREAMS_MOST = 16, DECODE_SPLITS_MOST = 65536 };

typedef struct decode_options {
    unsigned streams; /* 1 to DECODE_STREAMS_MOST */
    unsigned splits;  /* 1 to DECODE_SPLITS_MOST; fewer where blocks are fewer */
    /* Called as results arrive, in the column's order. May be NULL. */
    void (*progress)(uint64_t done, uint64_t splits, void *user);
    void *user;
} decode_options;

/* Decodes `c`, whose sections lie in `file`, to `result`; both are host-addressable, and `result` has room
 * for the values. `library` is of `device`. Blocks until all is there. `out_checksum` gets the values'
 * checksum, to be compared with the column's. Errors: those of guardrt and the kernels. */
grt_status column_decode(grt_device *device, gk_library *library, const column *c, grt_buffer *file,
                         const decode_options *options, grt_buffer *result, uint64_t *out_checksum);

#endif
