package io.millrace.schemas.pbs.resources;

/**
 * Definition of a resource.
 *
 * @param flags letters as in {@code qmgr}: h on the host (may stand in a select), n or f taken from
 *     each node that a chunk is on or from the first only, q taken from queue and server, i
 *     invisible, r read-only, m known to the execution side
 * @param words whether a string is several words with commas between
 */
public record ResourceDefinition(String name, ResourceKind kind, String flags, boolean words) {

  /** A resource whose value is not a list of words. */
  public ResourceDefinition(String name, ResourceKind kind, String flags) {
    this(name, kind, flags, false);
  }

  /** True when a run takes an amount away from the node (flag n or f). */
  public boolean consumable() {
    return kind.numeric() && (has('n') || has('f'));
  }

  /** True when nodes have the resource, so that a select may name it (flag h). */
  public boolean onHost() {
    return has('h');
  }

  private boolean has(char flag) {
    return flags.indexOf(flag) >= 0;
  }
}
