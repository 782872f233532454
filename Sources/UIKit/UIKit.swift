@_exported public import FoundationNetworking
@_exported public import Messages
