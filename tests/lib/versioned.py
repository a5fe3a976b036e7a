"""A kind in three versions: v1 is the hub, and neither of the others can say all that it can."""

from typing import Annotated

from windlass.api import Definition, Field, ListMap, Model, Resource, Spec, Status
from windlass.webhook import Conversion, Spoke

GROUP = "shops.windlass.dev"


class Port(Model):
    name: str = Field(min_length=1, max_length=5, pattern="^[a-z]+$")
    number: int = Field(ge=1, le=65535)
    protocol: str = ""


class Limits(Model):
    least: int = Field(default=1, ge=0, le=1000)
    most: int = Field(default=1, ge=0, le=1000)


class ShopSpec(Spec):
    host: str = Field(pattern="^[a-z]{1,8}$")
    limits: Limits = Field(default_factory=Limits)
    ports: Annotated[list[Port], ListMap("name")] = Field(default=[], max_length=3)
    strategy: str = "Rolling"


class ShopStatus(Status):
    open: int = 0


class Shop(Resource, group=GROUP, version="v1", definition=Definition(storage=True)):
    """The hub: how many there may be is a range, and ports have protocols."""

    spec: ShopSpec
    status: ShopStatus = Field(default_factory=ShopStatus)


class BetaPort(Model):
    name: str = Field(min_length=1, max_length=5, pattern="^[a-z]+$")
    number: int = Field(ge=1, le=65535)


class BetaSpec(Spec):
    host: str = Field(pattern="^[a-z]{1,8}$")
    replicas: int = Field(default=1, ge=0, le=1000)
    ports: Annotated[list[BetaPort], ListMap("name")] = Field(default=[], max_length=3)


class BetaShop(Resource, group=GROUP, version="v1beta1", kind="Shop"):
    """One number instead of a range, no strategy, no protocols."""

    spec: BetaSpec
    status: ShopStatus = Field(default_factory=ShopStatus)


class AlphaSpec(Spec):
    address: str = Field(pattern="^[a-z]{1,8}$")
    nickname: str = ""


class AlphaShop(Resource, group=GROUP, version="v1alpha1", kind="Shop"):
    """An address, and a nickname that later versions have given up."""

    spec: AlphaSpec


def from_beta(shop: BetaShop) -> Shop:
    spec = shop.spec
    return Shop(
        spec=ShopSpec(
            host=spec.host,
            limits=Limits(least=spec.replicas, most=spec.replicas),
            ports=[Port(name=port.name, number=port.number) for port in spec.ports],
        ),
        status=shop.status,
    )


def to_beta(shop: Shop) -> BetaShop:
    ports = [BetaPort(name=port.name, number=port.number) for port in shop.spec.ports]
    spec = BetaSpec(host=shop.spec.host, replicas=shop.spec.limits.least, ports=ports)
    return BetaShop(spec=spec, status=shop.status)


def from_alpha(shop: AlphaShop) -> Shop:
    return Shop(spec=ShopSpec(host=shop.spec.address))


def to_alpha(shop: Shop) -> AlphaShop:
    return AlphaShop(spec=AlphaSpec(address=shop.spec.host))


BETA = Spoke(
    BetaShop,
    to_hub=from_beta,
    from_hub=to_beta,
    lacks=("spec.strategy", "spec.limits.most", "spec.ports[].protocol"),
)
ALPHA = Spoke(
    AlphaShop,
    to_hub=from_alpha,
    from_hub=to_alpha,
    lacks=("spec.strategy", "spec.limits", "spec.ports", "status"),
    only=("spec.nickname",),
)
SHOPS = Conversion(hub=Shop, spokes=(BETA, ALPHA), path="/convert-shops")
