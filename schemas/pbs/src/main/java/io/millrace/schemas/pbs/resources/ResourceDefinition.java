package io.millrace.schemas.pbs.resources;

/**
 * What is known of a resource.
 *
 * @param flags letters as in {@code qmgr}: h on the host (may stand in a select), n or f taken from
 *     each node that a chunk is on or from the first only, q taken from queue and server, i
 *     invisible, r read-only, m known to the execution side
 * @param words whether a string is several words with commas between
 */
public record ResourceDefinition(String name, ResourceKind kind, String flags, boolean words) {

  /** One that is no list of words. */
  public ResourceDefinition(String name, ResourceKind kind, String flags) {
    this(name, kind, flags, false);
  }

  /** True when a run takes its share away from the node. */
  public boolean consumable() {
    return kind.numeric() && (has('n') || has('f'));
  }

  /** True when it belongs to a node and may stand in a select. */
  public boolean onHost() {
    return has('h');
  }

  private boolean has(char flag) {
    return flags.indexOf(flag) >= 0;
  }
}
