package io.millrace.schedulers.dialects.plus;

import java.util.function.Function;

/**
 * A test of one option, or of one of its keys: a text that sets it, what is seen with it, and what
 * must be seen. It must fail when the option has what is usual instead.
 *
 * @param what the option, or the key
 * @param shows what is seen, in words, for the documentation
 */
record PlusProof(
    PlusOption option,
    String what,
    String shows,
    String text,
    Function<PlusScene, String> see,
    String expected) {

  String seen(boolean ignored) {
    PlusConf conf = PlusText.read("sched_conf", text).conf();
    return see.apply(new PlusScene(ignored ? conf.reset(option) : conf));
  }
}
