package io.millrace.connectors.gridengine;

import io.millrace.connectors.bridge.recorded.RecordedTexts;

/** What Grid Engine 8.1.9 has printed and written, retyped and shortened. */
final class SgeFixtures {

  private static final RecordedTexts TEXTS = new RecordedTexts(SgeFixtures.class);

  static final String RECORD =
      "all.q:vm:alice:alice:ab_c:1:mr.c1.12.1:0:1795646858:1795646861:1795646862:0:3:1:0.028594"
          + ":0.058253:4728.000000:0:0:0:0:659:0:0:40.000000:16:0:0:0:11:24:NONE:defaultdepartment"
          + ":NONE:1:0:0.086847:0.000064:0.000029:NONE:0.000000:NONE:4694016.000000:0:0";

  static final String LIMIT =
      "all.q:vm:alice:alice:withrt2:5:sge:0:1795188753:1795188754:1795188874:100:137:120:0.007864"
          + ":0.000000:4700.000000:0:0:0:0:444:0:0:0.000000:16:0:0:0:7:10:NONE:defaultdepartment:NONE:1:0:0.007864:0.000000:0.000029:-l"
          + " h_rt=120,x=a:b:0.000000:NONE:3227648.000000:0:0";

  static final String LOG =
      "1795188808:job_log:1795188808:delivered:7:0:NONE:r:master:vm:0:1024:1795188754:par2:alice"
          + ":alice::defaultdepartment:mr.c1.12.1:job received: by execd";

  static final String EVENT = "JOB_START (56.1:ECL_TIME=1795189067)";

  private SgeFixtures() {}

  static String text(String name) {
    return TEXTS.text(name);
  }
}
