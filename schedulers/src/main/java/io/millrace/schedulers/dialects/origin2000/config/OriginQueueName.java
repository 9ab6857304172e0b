package io.millrace.schedulers.dialects.origin2000.config;

/** A queue and the host on which its jobs run. */
public record OriginQueueName(String name, String host) {

  static OriginQueueName read(String text, String local) {
    int at = text.indexOf('@');
    String name = at < 0 ? text : text.substring(0, at);
    String host = at < 0 ? local : text.substring(at + 1);
    if (name.isEmpty() || host.isEmpty() || host.indexOf('@') >= 0) {
      throw new IllegalArgumentException("'" + text + "' is no NAME@HOST");
    }
    return new OriginQueueName(name, host);
  }

  @Override
  public String toString() {
    return name + "@" + host;
  }
}
