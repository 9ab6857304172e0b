package io.millrace.schemas.pbs.schedconfig.share;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/** The tree of shares with what each vertex has used. Used by one thread. */
public final class ShareTree {

  /** Name of the top. */
  public static final String TOP = "TREEROOT";

  /** Name of the group of entities that nobody named. */
  public static final String UNKNOWN = "unknown";

  /** No usage is less, so that it can be divided. */
  static final double LEAST_USAGE = 1;

  /** Most entities that nobody named; what further ones use is used by the group of the unknown. */
  public static final int UNKNOWN_MAX = 20_000;

  private static final double MILLI = 1000;
  private static final int NO_ID = -1;
  private static final int NO_SHARES = -1;

  private final ShareVertex top = new ShareVertex(TOP, 0, NO_SHARES, null);
  private final ShareVertex unknown;
  private final Map<String, ShareVertex> byName = new HashMap<>();

  /** Vertices that the next cycle sees otherwise than the last one; most stay as they were. */
  private final List<ShareVertex> touched = new ArrayList<>();

  /** Version that changes whenever entities may stand in another order as a cycle begins. */
  private long changes;

  /**
   * A tree with the group of the unknown alone.
   *
   * @param unknownShares shares of that group
   */
  public ShareTree(int unknownShares) {
    top.entitled(1, 1);
    byName.put(TOP, top);
    unknown = join(UNKNOWN, 1, top, unknownShares);
    entitle();
  }

  public ShareVertex top() {
    return top;
  }

  /** The vertex of a name; null when there is none. */
  public ShareVertex find(String name) {
    return byName.get(name);
  }

  /**
   * Adds a vertex; {@link #entitle} has to follow.
   *
   * @throws IllegalArgumentException when the name is there already or the parent is not
   */
  public ShareVertex add(String name, int id, String parent, int shares) {
    if (byName.containsKey(name)) {
      throw new IllegalArgumentException(name + " is there already");
    }
    ShareVertex above = byName.get(parent);
    if (above == null) {
      throw new IllegalArgumentException("there is no " + parent);
    }
    return join(name, id, above, shares);
  }

  private ShareVertex join(String name, int id, ShareVertex parent, int shares) {
    ShareVertex vertex = new ShareVertex(name, id, shares, parent);
    parent.adopt(vertex);
    byName.put(name, vertex);
    return vertex;
  }

  /**
   * The vertex of an entity; one that nobody named becomes a child of the unknown, with 1 share.
   */
  public ShareVertex entity(String name) {
    ShareVertex known = byName.get(name);
    if (known == null && unknown.childCount() >= UNKNOWN_MAX) {
      return unknown;
    }
    if (known == null) {
      known = join(name, NO_ID, unknown, 1);
      entitleChildren(unknown);
      changes++;
    }
    return known;
  }

  /** Computes what each vertex is entitled to. */
  public void entitle() {
    entitleChildren(top);
    changes++;
  }

  private static void entitleChildren(ShareVertex of) {
    long sum = 0;
    for (ShareVertex child : of.ownChildren()) {
      sum += child.shares();
    }
    for (ShareVertex child : of.ownChildren()) {
      if (sum == 0 || of.percentage() == 0) {
        child.entitled(0, 0);
      } else {
        float part = (float) child.shares() / sum;
        child.entitled(part, part * of.percentage());
      }
      entitleChildren(child);
    }
  }

  /** Begins a cycle: what was started in the last one counts only as far as it was used. */
  public void beginCycle() {
    for (ShareVertex vertex : touched) {
      if (vertex.beginCycle()) {
        changes++;
      }
    }
    touched.clear();
  }

  /**
   * Version of the order in which entities stand as a cycle begins: the same for as long as none of
   * them has moved.
   */
  public long changes() {
    return changes;
  }

  private void touch(ShareVertex vertex) {
    if (vertex.touch()) {
      touched.add(vertex);
    }
  }

  /** A job of the entity was started, or has a promise: what it asks for counts in the cycle. */
  public void startsInCycle(ShareVertex entity, double amount) {
    if (amount != 0) {
      for (ShareVertex vertex : entity.way()) {
        vertex.usedInCycle(amount);
        touch(vertex);
      }
    }
  }

  /** The entity has used more; an amount below 0 counts as 0. */
  public void charge(ShareVertex entity, double amount) {
    if (amount > 0) {
      for (ShareVertex vertex : entity.way()) {
        vertex.used(amount);
        touch(vertex);
      }
    }
  }

  /**
   * Multiplies all usages.
   *
   * @param factor above 0 and below 1
   */
  public void decay(double factor) {
    each(top, vertex -> set(vertex, Math.max(LEAST_USAGE, vertex.usage() * factor)));
  }

  /**
   * Takes over usages of entities from somewhere else; what stands above them is the sum.
   *
   * @param usages by name; those of names that are no leaves are passed over
   * @param onlyNamed true to pass over those that are not in the tree either
   */
  public void restore(Map<String, Double> usages, boolean onlyNamed) {
    clear();
    usages.forEach(
        (name, usage) -> {
          ShareVertex vertex = onlyNamed ? find(name) : entity(name);
          if (vertex != null && vertex.isLeaf()) {
            set(vertex, usage);
            for (ShareVertex above = vertex.parent(); above != null; above = above.parent()) {
              set(above, above.usage() + usage);
            }
          }
        });
    beginCycle();
  }

  /** Nothing was used. */
  public void clear() {
    each(
        top,
        vertex -> {
          vertex.forgetMilli();
          set(vertex, LEAST_USAGE);
        });
  }

  /**
   * An entity has used so many thousandths more, and by that its groups. What a group has used is 1
   * and the sum of its entities, as pbsfs shows it; sums are whole thousandths, so that they do not
   * depend on the order in which they came together. For a tree that is changed by this alone.
   */
  public void addMilli(String entity, long more) {
    for (ShareVertex vertex : entity(entity).way()) {
      long sum = vertex.addMilli(more);
      boolean group = !vertex.isLeaf() || vertex == unknown;
      set(vertex, ShareVertex.saturated(sum, group ? FadedUsage.LEAST_MILLI : 0) / MILLI);
    }
  }

  /** Usages of entities that have used anything, by name. */
  public Map<String, Double> usages() {
    Map<String, Double> usages = new HashMap<>();
    each(
        top,
        vertex -> {
          if (vertex.isLeaf() && vertex != unknown && vertex.usage() != LEAST_USAGE) {
            usages.put(vertex.name(), vertex.usage());
          }
        });
    return usages;
  }

  /** Sets what a single vertex has used; what stands above it stays, as pbsfs -s does it. */
  public void set(ShareVertex vertex, double usage) {
    vertex.setUsage(usage);
    touch(vertex);
  }

  private static void each(ShareVertex from, Consumer<ShareVertex> visitor) {
    visitor.accept(from);
    for (ShareVertex child : from.ownChildren()) {
      each(child, visitor);
    }
  }

  /**
   * Which of two entities is more deserving, what the present cycle starts included.
   *
   * @return below 0 for the first, above 0 for the second
   */
  public static int compare(ShareVertex one, ShareVertex other) {
    return compare(one, other, ShareTree::ratio);
  }

  /** The same by what was used when the cycle began, whatever it has started since. */
  public static int compareAsSeen(ShareVertex one, ShareVertex other) {
    return compare(one, other, ShareTree::ratioSeen);
  }

  private static int compare(ShareVertex one, ShareVertex other, ToDoubleFunction<ShareVertex> by) {
    ShareVertex[] a = one.way();
    ShareVertex[] b = other.way();
    for (int i = 0; i < a.length && i < b.length; i++) {
      if (a[i] != b[i]) {
        boolean none = a[i].percentage() <= 0;
        if (none || b[i].percentage() <= 0) {
          return none == b[i].percentage() <= 0 ? 0 : none ? 1 : -1;
        }
        int order = Double.compare(by.applyAsDouble(a[i]), by.applyAsDouble(b[i]));
        if (order != 0) {
          return order;
        }
      }
    }
    return 0;
  }

  /** True when what was started in the cycle counts for the entity or a group of it. */
  public static boolean startedInCycle(ShareVertex entity) {
    ShareVertex[] way = entity.way();
    for (int i = 1; i < way.length; i++) { // what is started anywhere counts for the top
      if (way[i].usageInCycle() != way[i].usageSeen()) {
        return true;
      }
    }
    return false;
  }

  /**
   * What decides between an entity and others, from below the top down: usage by percentage. Arrays
   * of two entities compare as the entities do; starts let their numbers grow only.
   */
  public static double[] standing(ShareVertex entity) {
    double[] ratios = new double[entity.way().length - 1];
    standing(entity, ratios);
    return ratios;
  }

  /** Writes what {@link #standing(ShareVertex)} gives into an array that it gave before. */
  public static void standing(ShareVertex entity, double[] ratios) {
    ShareVertex[] way = entity.way();
    for (int i = 1; i < way.length; i++) {
      ratios[i - 1] = ratioOrLast(way[i]);
    }
  }

  private static double ratioOrLast(ShareVertex vertex) {
    return vertex.percentage() <= 0 ? Double.POSITIVE_INFINITY : ratio(vertex);
  }

  /** True when {@link #standing} of an entity would still be this one. */
  public static boolean stands(ShareVertex entity, double[] standing) {
    ShareVertex[] way = entity.way();
    for (int i = 1; i < way.length; i++) {
      if (ratioOrLast(way[i]) != standing[i - 1]) {
        return false;
      }
    }
    return true;
  }

  /** Compares two arrays of {@link #standing}. */
  public static int compare(double[] one, double[] other) {
    for (int i = 0; i < one.length && i < other.length; i++) {
      int order = Double.compare(one[i], other[i]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static double ratio(ShareVertex vertex) {
    return vertex.usageInCycle() / vertex.percentage();
  }

  private static double ratioSeen(ShareVertex vertex) {
    return vertex.usageSeen() / vertex.percentage();
  }

  /** Computes anew what follows from usages, where they were set outside of a cycle. */
  public void refresh() {
    beginCycle();
  }

  /** The most deserving entity of all that are more deserving than one; empty when it is first. */
  public Optional<ShareVertex> before(ShareVertex entity) {
    List<ShareVertex> first = new ArrayList<>();
    each(
        top,
        vertex -> {
          boolean other = vertex.isLeaf() && vertex != entity && vertex != unknown;
          if (other && compare(vertex, first.isEmpty() ? entity : first.get(0)) < 0) {
            first.clear();
            first.add(vertex);
          }
        });
    return first.stream().findFirst();
  }

  /** True when an entity has used more than its percentage of what all have used. */
  public boolean isOver(ShareVertex entity) {
    return top.usage() * entity.percentage() < entity.usage();
  }

  /** 2 to the power of -(tree usage / percentage); 0 for an entity that is entitled to nothing. */
  public static double factor(ShareVertex entity) {
    return entity.percentage() == 0 ? 0 : Math.pow(2, -(entity.treeUsage() / entity.percentage()));
  }
}
