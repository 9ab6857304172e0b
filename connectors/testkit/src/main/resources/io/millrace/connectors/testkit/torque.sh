#!/bin/bash
# torque.sh up|down OWNER: looks whether the Torque in the folder MILLRACE_TORQUE runs; root only.
# It is neither installed nor started nor stopped here: up ends with status 77 when it does not answer.
. "$(dirname "$0")/peer.sh" || exit 1
running MILLRACE_TORQUE "${1:-}"
