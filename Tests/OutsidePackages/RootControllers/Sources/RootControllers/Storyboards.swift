import UIKit

/// The addition of the program to the files of the apps: the controllers of their storyboards.
public enum Storyboards {
    /// Called before the apps start.
    public static func register() {
        UIStoryboard.register(
            "MainInterface",
            startingWith: PotluckViewController.self,
            [
                InvitationViewController.storyboardIdentifier: { InvitationViewController() },
                DishesViewController.storyboardIdentifier: { DishesViewController() },
            ]
        )
    }
}
