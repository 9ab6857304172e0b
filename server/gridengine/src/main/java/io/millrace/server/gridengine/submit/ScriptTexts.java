package io.millrace.server.gridengine.submit;

import io.millrace.schemas.common.Script;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Scripts as records and as texts. */
final class ScriptTexts {

  private ScriptTexts() {}

  static Script script(byte[] text) {
    return new Script(ByteBuffer.wrap(Digest.of(text)), ByteBuffer.wrap(text));
  }

  static String of(Script script) {
    return StandardCharsets.UTF_8.decode(script.getText().duplicate()).toString();
  }
}
