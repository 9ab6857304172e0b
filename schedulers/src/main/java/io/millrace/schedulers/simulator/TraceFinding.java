package io.millrace.schedulers.simulator;

/** What can be wrong with a line of a trace, or with the trace. */
public enum TraceFinding {
  SHORT_LINE("with fewer than 18 fields skipped", true),
  LONG_LINE("with more than 18 fields, of which the first 18 were read", true),
  NOT_A_NUMBER("with something that is no number skipped", true),
  TOO_LARGE("with a number beyond all reason skipped", true),
  NO_SUBMIT_TIME("without a submit time skipped", true),
  FRACTION("with a fraction of a second or processor, rounded up", true),
  OUT_OF_ORDER("submitted before the line above it, put in order", true),
  SAME_NUMBER("with a job number that was there already", true),
  HEADER_DIFFERS("of the header that contradict an earlier one, ignored", true),
  HEADER_VALUE("of the header with a value that cannot be, ignored", true),
  HEADER_LATE("of the header behind jobs, heeded all the same", true),
  NO_RECORD("that are no records of accounting, skipped", true),
  NO_TIMES("of ends without the times of their jobs, skipped", true),
  BROKEN_OFF("after which the compressed file is damaged; what follows is missing", true),
  BEHIND_END("after which the compressed file ends; what stands behind it is ignored", true),
  PARTIAL("of a part of a job that has a line of its own (status 2 to 4) left out", false),
  RUN_REPEATED("of a run after which its job waited again, left out", false),
  STILL_RUNNING("of a run that has not ended in these files, left out", false),
  NO_RUN_TIME("without a run time (cancelled before the start, or unknown) left out", false),
  NO_PROCESSORS("without processors left out", false),
  TOO_MANY_PROCESSORS("with more processors than there are left out", false);

  private final String text;
  private final boolean damage;

  TraceFinding(String text, boolean damage) {
    this.text = text;
    this.damage = damage;
  }

  /** What follows the number of lines in a sentence. */
  public String text() {
    return text;
  }

  /** True when the file violates the format; false when the line is merely no job to replay. */
  public boolean damage() {
    return damage;
  }
}
