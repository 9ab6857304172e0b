package io.millrace.server.campaigns.jdl;

import java.util.List;

/** A document that describes no campaign. */
public final class JdlRefused extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<Fault> faults;

  /**
   * What is wrong at one place.
   *
   * @param path JSON Pointer to it; empty for the document as a whole
   * @param reason in words
   */
  public record Fault(String path, String reason) {
    @Override
    public String toString() {
      return path.isEmpty() ? reason : path + ": " + reason;
    }
  }

  JdlRefused(List<Fault> faults) {
    super(faults.get(0).toString());
    this.faults = List.copyOf(faults);
  }

  /** Of one place. */
  public static JdlRefused at(String path, String reason) {
    return new JdlRefused(List.of(new Fault(path, reason)));
  }

  /** The place of a cluster. */
  public static String ofCluster(String name) {
    return "/" + JdlFields.CLUSTERS + "/" + Tokens.escaped(name);
  }

  /** In the order of the document; at least one. */
  public List<Fault> faults() {
    return faults;
  }
}
