package io.millrace.schemas;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * Seeds for a test with one parameter; see {@link Seeds#of}. {@code -Dmillrace.histories=10000}
 * asks for those from 1 (or {@code -Dmillrace.first_history}) to this number instead.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(SeedSource.Provider.class)
public @interface SeedSource {

  String FIRST = "millrace.first_history";
  String LAST = "millrace.histories";

  /** Seeds of every run. */
  long[] value();

  /** At night, additionally the seeds from 1 to this number. */
  int night() default 100;

  /** Reads the annotation. */
  final class Provider implements ArgumentsProvider, AnnotationConsumer<SeedSource> {
    private long[] seeds;

    @Override
    public void accept(SeedSource source) {
      seeds = Seeds.asked(FIRST, LAST, source.night(), source.value());
    }

    @Override
    public Stream<? extends Arguments> provideArguments(
        ParameterDeclarations parameters, ExtensionContext context) {
      return Arrays.stream(seeds).mapToObj(Arguments::of);
    }
  }
}
