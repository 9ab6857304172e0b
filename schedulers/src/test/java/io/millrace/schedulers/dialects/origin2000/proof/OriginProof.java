package io.millrace.schedulers.dialects.origin2000.proof;

import io.millrace.schedulers.dialects.origin2000.OriginScene;
import io.millrace.schedulers.dialects.origin2000.config.OriginOption;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import java.util.function.Function;

/**
 * A test of one option: a text that sets it, what is seen with it, and what must be seen. It must
 * fail when the option has its usual value instead.
 *
 * @param shows what is seen, in words, for the documentation
 */
record OriginProof(
    OriginOption option,
    String shows,
    String text,
    Function<OriginScene, String> see,
    String expected) {

  /** What is seen, or the refusal of the settings. */
  String seen(boolean ignored) {
    OriginScene scene = new OriginScene(text);
    if (ignored) {
      scene.config(scene.config().reset(option));
      if (option != OriginOption.SUBMIT_QUEUE) {
        scene.unchecked(); // so that the option is missed, not its companion
      }
    }
    try {
      return see.apply(scene);
    } catch (ConfigurationRefused e) {
      return e.getMessage();
    }
  }
}
