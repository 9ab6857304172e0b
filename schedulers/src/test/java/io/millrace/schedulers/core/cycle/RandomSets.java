package io.millrace.schedulers.core.cycle;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes random changes of what administrators say about placement sets. */
final class RandomSets {

  private static final List<String> KEYS = List.of("rack", "rack,host", "host", "nosuch", "");
  private static final List<String> TRUTHS = List.of("True", "True", "False", "");

  private final SchedulerFixture world;
  private final Random random;

  RandomSets(SchedulerFixture world, Random random) {
    this.world = world;
    this.random = random;
  }

  /** Changes something now and then; returns what. */
  String change() {
    if (random.nextInt(3) > 0) {
      return "";
    }
    return switch (random.nextInt(5)) {
      case 0 -> set(ObjectKind.SERVER, "server", "node_group_key", KEYS);
      case 1, 2 -> set(ObjectKind.SERVER, "server", "node_group_enable", TRUTHS);
      case 3 -> set(ObjectKind.QUEUE, "q" + (1 + random.nextInt(4)), "node_group_key", KEYS);
      default ->
          set(
              ObjectKind.SCHEDULER,
              "default",
              random.nextBoolean() ? "do_not_span_psets" : "only_explicit_psets",
              TRUTHS);
    };
  }

  private String set(ObjectKind kind, String name, String attribute, List<String> values) {
    ClusterObject known = world.object(kind, name);
    if (known == null && kind != ObjectKind.SERVER) {
      return "";
    }
    String value = values.get(random.nextInt(values.size()));
    List<Attribute> attributes = new ArrayList<>();
    if (known != null) {
      known.getAttributes().stream()
          .filter(it -> !it.getName().equals(attribute))
          .forEach(attributes::add);
    }
    attributes.add(new Attribute(attribute, value));
    world.write(
        known == null
            ? new ClusterObject(kind, name, 1L, attributes, 1L)
            : ClusterObject.newBuilder(known).setAttributes(attributes).build());
    return " " + name + " " + attribute + "=" + value;
  }
}
