#!/bin/bash
# openpbs.sh up|down OWNER: looks whether the OpenPBS in the folder MILLRACE_OPENPBS runs; root only.
# It is neither installed nor started nor stopped here: up ends with status 77 when it does not answer.
. "$(dirname "$0")/peer.sh" || exit 1
running MILLRACE_OPENPBS "${1:-}"
