/// Keeps the names of public types apart from those of SwiftUI, which the apps of today use, and
/// which modules that stand in for it elsewhere have as well.
///
/// A file that imports two modules with a type of the same name can use it only by its full name.
enum SwiftUINameCheck {
    /// The names among those of SwiftUI that another module might choose as well.
    static let names = Set(
        """
        ActionSheet Alert Alignment Anchor Angle AngularGradient Animatable Animation \
        AnyLayout AnyShape AnyView App AppStorage AsyncImage Axis Binding BlendMode Button \
        ButtonBorderShape ButtonRole ButtonStyle Canvas Capsule Circle Color ColorPicker \
        ColorScheme CommandMenu Commands ContentMode ContentUnavailableView ControlGroup \
        ControlSize CoordinateSpace DatePicker DisclosureGroup DismissAction Divider \
        DocumentGroup DragGesture DropDelegate DropInfo DropProposal DynamicProperty \
        DynamicTypeSize Edge EdgeInsets EditButton EditMode Ellipse EllipticalGradient \
        EmptyView Environment EnvironmentKey EnvironmentObject EnvironmentValues \
        EventModifiers FileDocument FillStyle FocusState FocusedValue Font ForEach \
        ForegroundStyle Form Gauge GeometryProxy GeometryReader Gesture GestureState Glass \
        Gradient GraphicsContext Grid GridItem GridRow Group GroupBox HStack \
        HorizontalAlignment HoverEffect Image ImagePaint ImageRenderer InsettableShape \
        KeyEquivalent KeyPress KeyboardShortcut Keyframe KeyframeTrack Label LabelStyle \
        LabeledContent Layout LayoutDirection LayoutSubview LayoutSubviews LazyHGrid \
        LazyHStack LazyVGrid LazyVStack LinearGradient Link List ListStyle \
        LocalizedStringKey LongPressGesture MagnifyGesture Material Menu MenuStyle \
        MeshGradient ModifiedContent Namespace NavigationLink NavigationPath \
        NavigationSplitView NavigationStack NavigationTransition NavigationView \
        ObservedObject OpenURLAction OutlineGroup PasteButton Path PhaseAnimator Picker \
        PickerStyle PreferenceKey PresentationDetent PresentationMode PreviewProvider \
        ProgressView Prominence ProposedViewSize RadialGradient Rectangle RedactionReasons \
        RefreshAction RotateGesture RoundedRectangle Scene ScenePhase SceneStorage \
        ScrollGeometry ScrollPhase ScrollPosition ScrollTarget ScrollView ScrollViewProxy \
        ScrollViewReader Section SecureField SensoryFeedback Settings Shader ShadowStyle \
        Shape ShapeStyle ShareLink Slider Spacer Spring State StateObject Stepper \
        StrokeStyle SubmitLabel Subview Tab TabContent TabRole TabSection TabView Table \
        TableColumn TableRow TapGesture Text TextAlignment TextAttribute TextEditor \
        TextField TextFieldStyle TextRenderer TextSelection TimelineSchedule TimelineView \
        Toggle ToggleStyle ToolbarContent ToolbarItem ToolbarItemGroup ToolbarRole \
        Transaction Transition TransitionPhase UnitCurve UnitPoint VStack VectorArithmetic \
        VerticalAlignment View ViewBuilder ViewDimensions ViewModifier ViewSpacing \
        ViewThatFits Visibility VisualEffect Widget Window WindowGroup WindowStyle ZStack
        """
        .split(separator: " ").map(String.init)
    )

    static func findings(_ file: SwiftFile) -> [Finding] {
        guard file.target?.hasPrefix("Apps/") == false else { return [] }
        return file.declarations.filter(isGiven).map { declaration in
            file.file.finding(declaration.firstLine, "\(declaration.name) is a type of SwiftUI")
        }
    }

    private static func isGiven(_ declaration: Declaration) -> Bool {
        guard declaration.parent == .file, declaration.kind != .extension else { return false }
        let isType = !declaration.kind.isFunction
        return isType && ["open", "public"].contains(declaration.access)
            && names.contains(declaration.name)
    }
}
