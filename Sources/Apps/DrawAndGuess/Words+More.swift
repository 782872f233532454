extension Words {
    /// Words without a sketch, which only people draw.
    static let others = """
        airplane anchor ant apple arm arrow axe baby backpack bag ball balloon banana barn
        basket bat bath beach bear beard bed bee beehive bell belt bench bicycle bird birthday
        blanket bomb bone book boot bottle bow bowl box boy bread breakfast bridge broom brush
        bucket bus bush butter butterfly button cactus cage cake camel camera candle candy car
        carrot castle caterpillar cave chain chair cheese cherry chess chicken chimney circus
        city clock cloud clown coat coffee coin comb compass computer cookie corn cow crab crane
        crayon crocodile crown curtain desert desk dice dinosaur doctor dog doll dolphin donkey
        door dragon dream dress drum duck eagle ear earth egg elephant engine envelope eye face
        fan farm feather fence finger fire firefighter flag flashlight flood flute fog foot fork
        fountain fox frog garden ghost giant giraffe girl glasses glove goat gold grapes grass
        guitar hair hammer hand hat hedgehog helicopter helmet hippo hole honey horse hospital
        hotel ice igloo island jacket jail jellyfish juggler jungle kangaroo kettle key king
        kite kitten knife knight lamp leaf lemon letter library light lightning lion lipstick
        lizard lobster lock magnet map mask medal mermaid mirror money monkey moon mosquito
        motorcycle mountain mouse mouth mushroom nail necklace needle nest newspaper night nose
        nurse ocean octopus onion orange orchestra owl paint palm pancake panda parachute parrot
        party peacock peanut pear pen pencil penguin piano picnic pig pillow pilot pineapple
        pirate pizza planet plant plate pocket police pond popcorn potato present prince puddle
        pumpkin puppet pyramid queen rabbit rain rainbow ring river road robot rocket roof rope
        rose ruler sailor salad sandwich scarecrow school scissors shadow shark sheep shell ship
        shirt shoe shower singer skateboard skeleton skirt sleep slide smile smoke snake snow
        snowflake snowman soap sock soup spaceship spider squirrel stairs stamp stone
        storm strawberry submarine suitcase summer surfer swan sweater swing sword table tail
        taxi teacher teapot teeth telephone telescope tent thief throne thumb tiger toast toilet
        tomato tooth towel tower tractor train treasure triangle truck trumpet turtle umbrella
        unicorn vampire vase violin volcano waiter walrus watch waterfall watermelon wave web
        wedding whale wheel whistle wig wind window wings winter witch wizard wolf wood worm
        yoga zebra zipper
        """.split { $0.isWhitespace }.map(String.init)
}
