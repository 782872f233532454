// On Apple's systems `import Messages` also imports Foundation, and apps rely on that.
@_exported public import Foundation
