@_exported public import Messages
