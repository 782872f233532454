// On Apple's systems `import Messages` brings Foundation along, and code relies on it.
@_exported public import Foundation
