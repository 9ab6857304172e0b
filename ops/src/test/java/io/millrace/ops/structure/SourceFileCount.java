package io.millrace.ops.structure;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** How many source files a package has: its top-level classes, generated ones aside. */
public final class SourceFileCount extends ArchCondition<JavaClass> {
  private static final String GENERATED = "org.apache.avro.specific.AvroGenerated";

  private final int most;
  private final Map<String, Integer> files = new TreeMap<>();

  private SourceFileCount(int most) {
    super("stand in a package of at most " + most + " source files");
    this.most = most;
  }

  /** The condition that fails once for each larger package. */
  public static ArchCondition<JavaClass> haveAtMost(int most) {
    return new SourceFileCount(most);
  }

  @Override
  public void init(Collection<JavaClass> all) {
    files.clear();
    for (JavaClass each : all) {
      if (each.isTopLevelClass() && !each.isAnnotatedWith(GENERATED)) {
        files.merge(each.getPackageName(), 1, Integer::sum);
      }
    }
  }

  @Override
  public void check(JavaClass each, ConditionEvents events) {}

  @Override
  public void finish(ConditionEvents events) {
    files.forEach(
        (name, count) -> {
          if (count > most) {
            events.add(
                SimpleConditionEvent.violated(
                    name, "package " + name + " has " + count + " source files"));
          }
        });
  }
}
