"""ristretto255 (RFC 9496) for the checkers, by the formulas of the document and without its speed."""
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)  # of -1


def is_negative(number):
    return number % P % 2 == 1


def absolute(number):
    return -number % P if is_negative(number) else number % P


def root_of_ratio(u, v):
    """Whether u / v is a square, and the root of u / v, or of ROOT * u / v."""
    root = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * root * root % P
    is_square, is_flipped = check == u % P, check == -u % P
    if is_flipped or check == -u * ROOT % P:
        root = root * ROOT % P
    return is_square or is_flipped, absolute(root)


INVERSE_ROOT_OF_A_LESS_D = root_of_ratio(1, -1 - D)[1]
ROOT_OF_A_D_LESS_1 = -root_of_ratio(-D - 1, 1)[1]  # the negative one of RFC 9496


def add(one, other):
    (x1, y1, z1, t1), (x2, y2, z2, t2) = one, other
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * D * t1 * t2 % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(point, scalar):
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point, scalar = add(point, point), scalar >> 1
    return result


def encode(point):
    x, y, z, t = point
    u1, u2 = (z + y) * (z - y) % P, x * y % P
    inverse = root_of_ratio(1, u1 * u2 * u2 % P)[1]
    first, second = inverse * u1 % P, inverse * u2 % P
    z_inverse = first * second * t % P
    if is_negative(t * z_inverse):
        x, y, second = y * ROOT % P, x * ROOT % P, first * INVERSE_ROOT_OF_A_LESS_D % P
    if is_negative(x * z_inverse):
        y = -y
    return absolute(second * (z - y)).to_bytes(32, "little")


def decode(data):
    """The point of 32 bytes; None if they are none, or the identity."""
    s = int.from_bytes(data, "little")
    if s >= P or is_negative(s) or s == 0:
        return None
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    was_square, inverse = root_of_ratio(1, v * u2 * u2 % P)
    x_part = inverse * u2 % P
    x = absolute(2 * s * x_part)
    y = u1 * inverse * x_part * v % P
    t = x * y % P
    return None if not was_square or is_negative(t) or y == 0 else (x, y, 1, t)


def map_to_point(data):
    t = int.from_bytes(data, "little") % 2**255
    r = ROOT * t * t % P
    u = (r + 1) * (1 - D * D) % P
    v = (-1 - r * D) * (r + D) % P
    was_square, s = root_of_ratio(u, v)
    c = -1
    if not was_square:
        s, c = -absolute(s * t) % P, r
    n = (c * (r - 1) * (D - 1) ** 2 - v) % P
    w0, w1, w2, w3 = 2 * s * v, n * ROOT_OF_A_D_LESS_1, 1 - s * s, 1 + s * s
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


def point_of(uniform):
    return add(map_to_point(uniform[:32]), map_to_point(uniform[32:]))


def scalar_of(uniform):
    return int.from_bytes(uniform, "little") % ORDER
