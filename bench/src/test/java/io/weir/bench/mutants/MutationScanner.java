package io.weir.bench.mutants;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.CompoundAssignmentTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.PrimitiveTypeTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.lang.model.type.TypeKind;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Finds the places of a source text where one change makes it wrong, each with its possible changes. It knows no types, so that some
 * changes do not compile. Confined to one thread.
 */
final class MutationScanner extends TreeScanner<@Nullable Void, @Nullable Void> {

    /** Pairs of operators, the first of which is replaced by the second. */
    private static final Map<String, String> OTHER_OPERATORS = Pattern.compile(", ")
            .splitAsStream(
                    "< <=, <= <, > >=, >= >, == !=, != ==, + -, - +, * /, / *, % *, << >>, >> <<, >>> <<, & |, | &, ^ &, "
                            + "+= -=, -= +=, *= /=, /= *=, |= &=, &= |=")
            .map(pair -> pair.split(" "))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));

    private static final Set<Tree.Kind> LEAVING =
            EnumSet.of(Tree.Kind.RETURN, Tree.Kind.THROW, Tree.Kind.CONTINUE, Tree.Kind.BREAK);

    /** Calls that return what was taken, or end what was begun. */
    private static final Pattern GIVE_BACK = Pattern.compile(
            "(abort|cancel|clear|close|complete|decrement|delete|discard|drop|end|evict|fail|forget|free|give"
                    + "|invalidate|leave|lose|purge|release|remove|reset|retire|revoke|settle|shut|shutdown|stop|uninstall)"
                    + "([A-Z].*)?");

    private static final Pattern CHECK = Pattern.compile("(check|ensure|require)([A-Z].*)?");
    private static final Set<String> TEXTS = Set.of("toString", "hashCode");

    private final Path file;
    private final String source;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final List<List<Mutant>> places = new ArrayList<>();
    private boolean inPredicate;

    private MutationScanner(Path file, String source, CompilationUnitTree unit, SourcePositions positions) {
        this.file = file;
        this.source = source;
        this.unit = unit;
        this.positions = positions;
    }

    /** Returns the mutants of each place of a file. */
    static List<List<Mutant>> places(Path file, String source) throws IOException {
        JavaFileObject text = new SimpleJavaFileObject(URI.create("text:///Source.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public String getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
        JavacTask task =
                (JavacTask) ToolProvider.getSystemJavaCompiler().getTask(null, null, null, null, null, List.of(text));
        CompilationUnitTree unit = task.parse().iterator().next();
        MutationScanner scanner =
                new MutationScanner(file, source, unit, Trees.instance(task).getSourcePositions());
        scanner.scan(unit, null);
        return scanner.places;
    }

    @Override
    public @Nullable Void visitBinary(BinaryTree node, @Nullable Void unused) {
        ExpressionTree left = node.getLeftOperand();
        ExpressionTree right = node.getRightOperand();
        switch (node.getKind()) {
            case CONDITIONAL_AND, CONDITIONAL_OR -> place("CONDITION", node, text(left), text(right));
            default -> {
                if (!isText(node)) {
                    operator(left, right);
                }
            }
        }
        return super.visitBinary(node, unused);
    }

    @Override
    public @Nullable Void visitCompoundAssignment(CompoundAssignmentTree node, @Nullable Void unused) {
        if (!isText(node.getExpression())) {
            operator(node.getVariable(), node.getExpression());
        }
        return super.visitCompoundAssignment(node, unused);
    }

    private void operator(Tree left, Tree right) {
        String between = source.substring(end(left), start(right));
        String operator = between.strip();
        String other = OTHER_OPERATORS.get(operator);
        if (other != null) {
            String kind = switch (operator) {
                case "<", "<=", ">", ">=" -> "BOUND";
                case "==", "!=" -> "EQUALITY";
                default -> "ARITHMETIC";
            };
            int start = end(left) + between.indexOf(operator);
            places.add(List.of(new Mutant(file, source, kind, start, start + operator.length(), other)));
        }
    }

    @Override
    public @Nullable Void visitUnary(UnaryTree node, @Nullable Void unused) {
        String operand = text(node.getExpression());
        switch (node.getKind()) {
            case LOGICAL_COMPLEMENT -> place("CONDITION", node, operand);
            case PREFIX_INCREMENT -> place("ARITHMETIC", node, "--" + operand);
            case PREFIX_DECREMENT -> place("ARITHMETIC", node, "++" + operand);
            case POSTFIX_INCREMENT -> place("ARITHMETIC", node, operand + "--");
            case POSTFIX_DECREMENT -> place("ARITHMETIC", node, operand + "++");
            default -> {}
        }
        return super.visitUnary(node, unused);
    }

    @Override
    public @Nullable Void visitIf(IfTree node, @Nullable Void unused) {
        String negated = "(!" + text(node.getCondition()) + ")";
        if (node.getElseStatement() == null && leaves(node.getThenStatement())) {
            place("GUARD", node, ";");
            place("CONDITION", node.getCondition(), "(true)", negated);
        } else {
            place("CONDITION", node.getCondition(), "(true)", "(false)", negated);
        }
        return super.visitIf(node, unused);
    }

    private static boolean leaves(StatementTree then) {
        return then instanceof BlockTree block
                ? block.getStatements().size() == 1
                        && leaves(block.getStatements().get(0))
                : LEAVING.contains(then.getKind());
    }

    @Override
    public @Nullable Void visitWhileLoop(WhileLoopTree node, @Nullable Void unused) {
        place("CONDITION", node.getCondition(), "(!" + text(node.getCondition()) + ")");
        return super.visitWhileLoop(node, unused);
    }

    @Override
    public @Nullable Void visitConditionalExpression(ConditionalExpressionTree node, @Nullable Void unused) {
        place(
                "CONDITION",
                node,
                "(" + text(node.getTrueExpression()) + ")",
                "(" + text(node.getFalseExpression()) + ")");
        return super.visitConditionalExpression(node, unused);
    }

    @Override
    public @Nullable Void visitExpressionStatement(ExpressionStatementTree node, @Nullable Void unused) {
        String called = called(node.getExpression());
        if (GIVE_BACK.matcher(called).matches()) {
            place("GIVE_BACK", node, ";");
        } else if (CHECK.matcher(called).matches()) {
            place("GUARD", node, ";");
        }
        return super.visitExpressionStatement(node, unused);
    }

    @Override
    public @Nullable Void visitMethodInvocation(MethodInvocationTree node, @Nullable Void unused) {
        switch (text(node.getMethodSelect())) {
            case "Math.min" -> place("BOUND", node.getMethodSelect(), "Math.max");
            case "Math.max" -> place("BOUND", node.getMethodSelect(), "Math.min");
            default -> {}
        }
        return super.visitMethodInvocation(node, unused);
    }

    @Override
    public @Nullable Void visitReturn(ReturnTree node, @Nullable Void unused) {
        if (inPredicate) {
            String value = text(node.getExpression());
            place(
                    "RETURN",
                    node.getExpression(),
                    switch (value) {
                        case "true" -> "false";
                        case "false" -> "true";
                        default -> "!(" + value + ")";
                    });
        }
        return super.visitReturn(node, unused);
    }

    @Override
    public @Nullable Void visitMethod(MethodTree node, @Nullable Void unused) {
        if (TEXTS.contains(node.getName().toString())) {
            return null;
        }
        boolean outer = inPredicate;
        inPredicate = isPrimitive(node.getReturnType(), TypeKind.BOOLEAN);
        super.visitMethod(node, unused);
        inPredicate = outer;
        return null;
    }

    @Override
    public @Nullable Void visitLambdaExpression(LambdaExpressionTree node, @Nullable Void unused) {
        if (GIVE_BACK.matcher(called(node.getBody())).matches()) {
            place("GIVE_BACK", node.getBody(), "{}");
        }
        boolean outer = inPredicate;
        inPredicate = false;
        super.visitLambdaExpression(node, unused);
        inPredicate = outer;
        return null;
    }

    /** Leaves constants out: the compiler copied their values into other classes. */
    @Override
    public @Nullable Void visitVariable(VariableTree node, @Nullable Void unused) {
        boolean constant = node.getModifiers().getFlags().containsAll(Set.of(Modifier.STATIC, Modifier.FINAL))
                && isPrimitive(node.getType(), null);
        return constant ? null : super.visitVariable(node, unused);
    }

    @Override
    public @Nullable Void visitAnnotation(AnnotationTree node, @Nullable Void unused) {
        return null;
    }

    private void place(String kind, Tree tree, String... replacements) {
        places.add(Stream.of(replacements)
                .map(replacement -> new Mutant(file, source, kind, start(tree), end(tree), replacement))
                .toList());
    }

    private int start(Tree tree) {
        return (int) positions.getStartPosition(unit, tree);
    }

    private int end(Tree tree) {
        return (int) positions.getEndPosition(unit, tree);
    }

    private String text(Tree tree) {
        return source.substring(start(tree), end(tree));
    }

    /** Whether a sum visibly joins texts. */
    private static boolean isText(ExpressionTree tree) {
        return tree.getKind() == Tree.Kind.STRING_LITERAL
                || tree.getKind() == Tree.Kind.PLUS
                        && tree instanceof BinaryTree sum
                        && (isText(sum.getLeftOperand()) || isText(sum.getRightOperand()));
    }

    /** Returns the name of the method that an expression calls; empty if it is no call. */
    private static String called(Tree expression) {
        if (!(expression instanceof MethodInvocationTree call)) {
            return "";
        }
        return call.getMethodSelect() instanceof MemberSelectTree member
                ? member.getIdentifier().toString()
                : ((IdentifierTree) call.getMethodSelect()).getName().toString();
    }

    private static boolean isPrimitive(@Nullable Tree type, @Nullable TypeKind kind) {
        return type instanceof PrimitiveTypeTree primitive
                && (kind == null || primitive.getPrimitiveTypeKind() == kind);
    }
}
