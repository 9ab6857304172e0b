package io.millrace.schemas.pbs.schedconfig.share;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A vertex of the tree of shares: a group or an entity. Percentages have the precision of PBS's, so
 * that printed values agree.
 */
public final class ShareVertex {

  private final String name;
  private final int id;
  private final int shares;
  private final ShareVertex parent;

  /** The vertex and those above it, from the top down. */
  private final ShareVertex[] path;

  /** Children, the one that was added last first. */
  private final List<ShareVertex> children = new ArrayList<>();

  private float part;
  private float percentage;
  private double usage = ShareTree.LEAST_USAGE;
  private double usageInCycle = ShareTree.LEAST_USAGE;

  /** Usage as the last cycle, or what set usages outside of one, has seen it. */
  private double usageSeen = ShareTree.LEAST_USAGE;

  /** Sum of what entities at or below it have used, in thousandths, where it is kept so. */
  private long milli;

  private boolean touched;

  ShareVertex(String name, int id, int shares, ShareVertex parent) {
    this.name = name;
    this.id = id;
    this.shares = shares;
    this.parent = parent;
    int depth = parent == null ? 0 : parent.path.length;
    this.path = new ShareVertex[depth + 1];
    if (parent != null) {
      System.arraycopy(parent.path, 0, path, 0, depth);
    }
    path[depth] = this;
  }

  public String name() {
    return name;
  }

  /** Number of the vertex, by which PBS prints it; -1 for one that no file names. */
  public int id() {
    return id;
  }

  /** Shares among the siblings; -1 for the top. */
  public int shares() {
    return shares;
  }

  /** The vertex above; null for the top. */
  public ShareVertex parent() {
    return parent;
  }

  /** Children, the one that was added last first; a view that cannot be changed. */
  public List<ShareVertex> children() {
    return Collections.unmodifiableList(children);
  }

  /** The children themselves, for the tree. */
  List<ShareVertex> ownChildren() {
    return children;
  }

  int childCount() {
    return children.size();
  }

  public List<ShareVertex> path() {
    return List.of(path);
  }

  ShareVertex[] way() {
    return path;
  }

  void adopt(ShareVertex child) {
    children.add(0, child);
  }

  /** What it is entitled to, 1 being everything. */
  public float percentage() {
    return percentage;
  }

  /** What it is entitled to of what its parent is entitled to. */
  float part() {
    return part;
  }

  void entitled(float ofParent, float ofAll) {
    part = ofParent;
    percentage = ofAll;
  }

  /** What it has used, at least 1. */
  public double usage() {
    return usage;
  }

  /** What it has used, with what was started in the present cycle. */
  double usageInCycle() {
    return usageInCycle;
  }

  void used(double more) {
    usage += more;
  }

  void usedInCycle(double more) {
    usageInCycle += more;
  }

  /** What it had used when the present cycle began. */
  double usageSeen() {
    return usageSeen;
  }

  /**
   * Begins a cycle.
   *
   * @return true when it has used more or less than in the last one
   */
  boolean beginCycle() {
    boolean changed = usageSeen != usage;
    usageInCycle = usage;
    usageSeen = usage;
    touched = false;
    return changed;
  }

  /** Marks the vertex for the next cycle; false when it is marked already. */
  boolean touch() {
    boolean first = !touched;
    touched = true;
    return first;
  }

  /** Adds to the sum of thousandths, which stays within the bounds of a long; gives the sum. */
  long addMilli(long more) {
    long sum = saturated(milli, more);
    milli = sum;
    return sum;
  }

  void forgetMilli() {
    milli = 0;
  }

  static long saturated(long sum, long more) {
    long result = sum + more;
    boolean over = ((sum ^ result) & (more ^ result)) < 0;
    return over ? Long.MAX_VALUE : result;
  }

  /** Sets what it has used; what stands above it is not changed. */
  void setUsage(double now) {
    usage = now;
    usageInCycle = now;
  }

  /**
   * Usage for its percentage, between its own and that of its group, by the usages that the last
   * cycle has seen.
   */
  public float treeUsage() {
    float between = 0;
    for (int depth = 1; depth < path.length; depth++) {
      float own = (float) (path[depth].usageSeen / path[0].usageSeen);
      between = depth == 1 ? own : own + (between - own) * path[depth].part;
    }
    return between;
  }

  /** True for a vertex without children. */
  public boolean isLeaf() {
    return children.isEmpty();
  }
}
