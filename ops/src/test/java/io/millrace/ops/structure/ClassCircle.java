package io.millrace.ops.structure;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Circles of classes: the strongly connected components of "depends on" between top-level classes,
 * nested ones counted with the class that they stand in. Found by Tarjan's algorithm without
 * recursion.
 */
public final class ClassCircle extends ArchCondition<JavaClass> {
  private final int most;
  private final Map<String, Set<String>> arrows = new TreeMap<>();

  private ClassCircle(int most) {
    super("be in a circle of at most " + most + " classes");
    this.most = most;
  }

  /** The condition that fails once for each larger circle. */
  public static ArchCondition<JavaClass> beOfAtMost(int most) {
    return new ClassCircle(most);
  }

  @Override
  public void init(Collection<JavaClass> all) {
    arrows.clear();
    Set<String> ours = all.stream().map(ClassCircle::topLevel).collect(Collectors.toSet());
    for (JavaClass each : all) {
      Set<String> targets = arrows.computeIfAbsent(topLevel(each), name -> new TreeSet<>());
      for (Dependency arrow : each.getDirectDependenciesFromSelf()) {
        String target = topLevel(arrow.getTargetClass().getBaseComponentType());
        if (ours.contains(target) && !target.equals(topLevel(each))) {
          targets.add(target);
        }
      }
    }
  }

  @Override
  public void check(JavaClass each, ConditionEvents events) {}

  @Override
  public void finish(ConditionEvents events) {
    for (List<String> circle : new Search(arrows).circles()) {
      if (circle.size() > most) {
        events.add(
            SimpleConditionEvent.violated(
                circle, "a circle of " + circle.size() + " classes: " + String.join(", ", circle)));
      }
    }
  }

  private static String topLevel(JavaClass each) {
    JavaClass top = each;
    while (top.getEnclosingClass().isPresent()) {
      top = top.getEnclosingClass().get();
    }
    return top.getFullName();
  }

  /** One run of Tarjan's algorithm. */
  private static final class Search {
    private final Map<String, Set<String>> arrows;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> open = new ArrayDeque<>();
    private final Set<String> isOpen = new TreeSet<>();
    private final List<List<String>> found = new ArrayList<>();

    Search(Map<String, Set<String>> arrows) {
      this.arrows = arrows;
    }

    List<List<String>> circles() {
      for (String start : arrows.keySet()) {
        if (!numbers.containsKey(start)) {
          from(start);
        }
      }
      return found;
    }

    private void from(String start) {
      Deque<String> way = new ArrayDeque<>();
      Map<String, Iterator<String>> left = new HashMap<>();
      enter(start, way, left);
      while (!way.isEmpty()) {
        String here = way.peek();
        Iterator<String> targets = left.get(here);
        if (!targets.hasNext()) {
          way.pop();
          close(here);
          if (!way.isEmpty()) {
            lowest.merge(way.peek(), lowest.get(here), Math::min);
          }
          continue;
        }
        String target = targets.next();
        if (!numbers.containsKey(target)) {
          enter(target, way, left);
        } else if (isOpen.contains(target)) {
          lowest.merge(here, numbers.get(target), Math::min);
        }
      }
    }

    private void enter(String name, Deque<String> way, Map<String, Iterator<String>> left) {
      numbers.put(name, numbers.size());
      lowest.put(name, numbers.get(name));
      open.push(name);
      isOpen.add(name);
      way.push(name);
      left.put(name, arrows.get(name).iterator());
    }

    /** A class from which no earlier one is reached closes the circle of all that came after it. */
    private void close(String name) {
      if (!lowest.get(name).equals(numbers.get(name))) {
        return;
      }
      List<String> circle = new ArrayList<>();
      String each;
      do {
        each = open.pop();
        isOpen.remove(each);
        circle.add(each);
      } while (!each.equals(name));
      found.add(circle);
    }
  }
}
