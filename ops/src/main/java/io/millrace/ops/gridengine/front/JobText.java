package io.millrace.ops.gridengine.front;

import io.millrace.schemas.common.Script;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Scripts as records and as texts. */
final class JobText {

  private JobText() {}

  static Script script(byte[] text) {
    return new Script(ByteBuffer.wrap(Digest.of(text)), ByteBuffer.wrap(text));
  }

  static String of(Script script) {
    return StandardCharsets.UTF_8.decode(script.getText().duplicate()).toString();
  }
}
