package io.millrace.ops.structure;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Sizes in source files, as the compiler's own parser sees them. */
public final class SourceSizes {
  /** Lines of one source file, and so of the class that it holds. */
  public static final int FILE_LINES = 500;

  /** Lines of one method or constructor, from its modifiers to its last brace. */
  public static final int METHOD_LINES = 60;

  /** Parameters of one method or constructor; a record's components are its fields instead. */
  public static final int PARAMETERS = 6;

  private SourceSizes() {}

  /** What is too large, a line each. */
  public static List<String> tooLarge(Collection<Path> files) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> found = new ArrayList<>();
    try (StandardJavaFileManager sources =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  sources,
                  null,
                  List.of("-proc:none"),
                  null,
                  sources.getJavaFileObjectsFromPaths(files));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        new Look(unit, positions, found).scan(unit, null);
      }
    }
    return found;
  }

  /** Looks at one file. */
  private static final class Look extends TreeScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final List<String> found;
    private final LineMap lines;

    Look(CompilationUnitTree unit, SourcePositions positions, List<String> found) {
      this.unit = unit;
      this.positions = positions;
      this.found = found;
      lines = unit.getLineMap();
    }

    @Override
    public Void visitCompilationUnit(CompilationUnitTree tree, Void nothing) {
      for (Tree type : tree.getTypeDecls()) {
        long last = lines.getLineNumber(positions.getEndPosition(unit, type));
        if (type instanceof ClassTree && last > FILE_LINES) {
          found.add(name() + " has " + last + " lines");
        }
      }
      return super.visitCompilationUnit(tree, nothing);
    }

    @Override
    public Void visitMethod(MethodTree method, Void nothing) {
      long first = lines.getLineNumber(positions.getStartPosition(unit, method));
      long last = lines.getLineNumber(positions.getEndPosition(unit, method));
      if (last - first + 1 > METHOD_LINES) {
        found.add(where(method, first) + " has " + (last - first + 1) + " lines");
      }
      if (method.getParameters().size() > PARAMETERS) {
        found.add(where(method, first) + " has " + method.getParameters().size() + " parameters");
      }
      return super.visitMethod(method, nothing);
    }

    private String where(MethodTree method, long line) {
      return name() + ":" + line + " " + method.getName();
    }

    private String name() {
      return Path.of(unit.getSourceFile().getName()).toString();
    }
  }
}
