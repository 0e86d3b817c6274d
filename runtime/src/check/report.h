/* SPDX-License-Identifier: Apache-2.0 */
/* Where reports go. */
#ifndef GRT_CHECK_REPORT_H
#define GRT_CHECK_REPORT_H

#include <guardrt/guardrt.h>

/* The linter's names of what checked mode can see. */
#define GRT_CHECK_RELEASED "released-before-launch"
#define GRT_CHECK_DOUBLE_RELEASE "double-release"
#define GRT_CHECK_GUARD_LEAK "guard-leak"
#define GRT_CHECK_WRONG_STREAM "wrong-stream"
#define GRT_CHECK_MISMATCH "access-mismatch"
#define GRT_CHECK_FREED "freed-in-flight"
#define GRT_CHECK_MISSING_WAIT "missing-wait"

/* Is checked mode on for a device opened with `mode`? */
bool grt_check_wanted(grt_check_mode mode);
/* To the callback, the file or stderr; then abort if the variable says so. */
void grt_check_report_send(const grt_check_report *report);

#endif
