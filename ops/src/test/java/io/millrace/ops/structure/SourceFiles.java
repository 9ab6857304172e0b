package io.millrace.ops.structure;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The Java files of a checkout; what the build makes is not among them. */
public final class SourceFiles {
  /** Part of the paths of all files of the product. */
  public static final String MAIN = "/src/main/java/";

  /** Part of the paths of all files of its tests. */
  public static final String TEST = "/src/test/java/";

  private SourceFiles() {}

  /** Files with this in their paths, in the order of the paths. */
  public static List<Path> of(Path root, String part) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = String.valueOf(folder.getFileName());
            boolean left = name.equals("target") || name.startsWith(".git");
            return left && !folder.equals(root)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".java") && file.toString().contains(part)) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    Collections.sort(found);
    return found;
  }
}
