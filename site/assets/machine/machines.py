"""Renders LOWSUN's machine, built from primitives, at dusk.

blender -b --factory-startup -P machines.py -- wheel|lamp OUT.png WIDTH HEIGHT SAMPLES

One unit is about 30 cm. The machine's wheel axis is X, which points at the camera; Y is to the right, Z is up.
Written for Blender 3.4 (Debian 12): later versions name some of the shader's inputs differently.
"""
import math
import sys

import bpy
from mathutils import Vector

SUBJECT, OUT, WIDTH, HEIGHT, SAMPLES = sys.argv[sys.argv.index('--') + 1 :]
TURN = 2 * math.pi
ON_WHEEL_AXIS = (0, math.radians(90), 0)

bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
primitive = bpy.ops.mesh


# ---------------------------------------------------------------------------------------------------------- studio


def set_up_render():
    scene.render.engine = 'CYCLES'
    scene.render.resolution_x, scene.render.resolution_y = int(WIDTH), int(HEIGHT)
    scene.render.filepath = OUT
    cycles = scene.cycles
    cycles.device = 'CPU'
    cycles.samples = int(SAMPLES)
    cycles.use_adaptive_sampling = True
    # Debian's build has no denoiser.
    cycles.use_denoising = False
    cycles.max_bounces = 4
    # Single bright paths would cause speckles on metal.
    cycles.sample_clamp_indirect = 2.0
    cycles.caustics_reflective = cycles.caustics_refractive = False
    scene.view_settings.view_transform = 'Filmic'
    scene.view_settings.look = 'High Contrast'
    scene.world = bpy.data.worlds.new('dusk')
    scene.world.use_nodes = True
    scene.world.node_tree.nodes['Background'].inputs[0].default_value = (0.006, 0.008, 0.014, 1)


def rotation_towards(target, place):
    """Rotation of a lamp or camera at `place` that looks at `target`."""
    return (Vector(target) - Vector(place)).to_track_quat('-Z', 'Y').to_euler()


def add_light(place, target, width, height, colour, watts):
    """Adds a rectangular light that shines towards `target`."""
    data = bpy.data.lights.new('light', 'AREA')
    data.shape = 'RECTANGLE'
    data.size, data.size_y = width, height
    data.color, data.energy = colour, watts
    lamp = bpy.data.objects.new('light', data)
    lamp.location, lamp.rotation_euler = place, rotation_towards(target, place)
    scene.collection.objects.link(lamp)


def add_camera(place, target, millimetres, f_stop, focus):
    """`focus`: distance of the focal plane."""
    data = bpy.data.cameras.new('camera')
    data.lens = millimetres
    data.dof.use_dof = True
    data.dof.aperture_fstop, data.dof.focus_distance = f_stop, focus
    scene.camera = bpy.data.objects.new('camera', data)
    scene.camera.location, scene.camera.rotation_euler = place, rotation_towards(target, place)
    scene.collection.objects.link(scene.camera)


# -------------------------------------------------------------------------------------------------------- material


def create_material(colour, metallic=0, roughness=0.5, glow=None, strength=0, brushed=0, grain=0, grain_size=60):
    """`glow`: emitted colour, with `strength`. `brushed`: anisotropy of turned metal. `grain`: height of bumps."""
    made = bpy.data.materials.new('material')
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    surface = nodes['Principled BSDF'].inputs
    surface['Base Color'].default_value = (*colour, 1)
    surface['Metallic'].default_value = metallic
    surface['Roughness'].default_value = roughness
    surface['Anisotropic'].default_value = brushed
    if glow:
        surface['Emission'].default_value = (*glow, 1)
        surface['Emission Strength'].default_value = strength
    if grain:
        noise, bump = nodes.new('ShaderNodeTexNoise'), nodes.new('ShaderNodeBump')
        noise.inputs['Scale'].default_value, noise.inputs['Detail'].default_value = grain_size, 6
        bump.inputs['Strength'].default_value, bump.inputs['Distance'].default_value = grain, 0.02
        links.new(noise.outputs['Fac'], bump.inputs['Height'])
        links.new(bump.outputs['Normal'], surface['Normal'])
    return made


def create_glass():
    made = create_material((0.9, 0.92, 1), roughness=0.02)
    surface = made.node_tree.nodes['Principled BSDF'].inputs
    surface['Transmission'].default_value = 1
    surface['IOR'].default_value = 1.45
    return made


RUBBER = create_material((0.005, 0.005, 0.006), roughness=0.55, grain=0.35, grain_size=90)
STEEL = create_material((0.62, 0.63, 0.66), metallic=1, roughness=0.24, grain=0.04, grain_size=160)
DARK = create_material((0.035, 0.037, 0.042), metallic=1, roughness=0.32)
BLACK = create_material((0.006, 0.006, 0.007), metallic=0.4, roughness=0.45)
EMBER = create_material((0.8, 0.2, 0.05), metallic=0.6, roughness=0.3)
DISC = create_material((0.5, 0.5, 0.52), metallic=1, roughness=0.3, brushed=0.8)
ASPHALT = create_material((0.01, 0.01, 0.012), roughness=0.16, grain=0.25, grain_size=7)


# ----------------------------------------------------------------------------------------------------------- shapes


def bevel_edges(part, width, segments=3):
    part.data.use_auto_smooth = True
    edge = part.modifiers.new('bevel', 'BEVEL')
    edge.width, edge.segments, edge.limit_method = width, segments, 'ANGLE'
    return part


def add_primitive(build, of, smooth=True, bevel=0, **options):
    """Adds one of Blender's primitives with the material `of`."""
    build(**options)
    part = bpy.context.object
    part.data.materials.append(of)
    if smooth:
        bpy.ops.object.shade_smooth()
    return bevel_edges(part, bevel) if bevel else part


def add_block(of, size, place, turn=(0, 0, 0), smooth=True, bevel=0):
    part = add_primitive(primitive.primitive_cube_add, of, smooth, bevel, size=1)
    part.scale, part.location, part.rotation_euler = size, place, turn
    return part


def add_lathed(profile, of, closed=False, segments=160):
    """Adds a profile of `(radius, x)`, rotated around the X axis."""
    count = len(profile)
    points, faces = [], []
    for segment in range(segments):
        angle = segment / segments * TURN
        points += [(x, radius * math.cos(angle), radius * math.sin(angle)) for radius, x in profile]
        here, there = segment * count, (segment + 1) % segments * count
        for at in range(count if closed else count - 1):
            faces.append((here + at, here + (at + 1) % count, there + (at + 1) % count, there + at))
    mesh = bpy.data.meshes.new('spun')
    mesh.from_pydata(points, [], faces)
    mesh.update()
    mesh.materials.append(of)
    for face in mesh.polygons:
        face.use_smooth = True
    mesh.use_auto_smooth = True
    part = bpy.data.objects.new('spun', mesh)
    scene.collection.objects.link(part)
    return part


def add_ring(inner, outer, thickness, of, x=0, bevel=0.004):
    half = thickness / 2
    profile = [(inner, x - half), (outer, x - half), (outer, x + half), (inner, x + half)]
    return bevel_edges(add_lathed(profile, of, closed=True), bevel, segments=2)


def add_rod(start, end, radius, of, vertices=20):
    start, end = Vector(start), Vector(end)
    along = end - start
    part = add_primitive(
        primitive.primitive_cylinder_add, of,
        radius=radius, depth=along.length, location=(start + end) / 2, vertices=vertices,
    )
    part.rotation_euler = along.to_track_quat('Z', 'Y').to_euler()
    return part


def point_on_circle(radius, angle, x=0):
    """A point on a circle about the wheel's axis."""
    return (x, radius * math.cos(angle), radius * math.sin(angle))


# ------------------------------------------------------------------------------------------------------------ wheel

BLOCKS = 90
SPOKES = 36
HOLES = 60


def add_tyre():
    add_primitive(
        primitive.primitive_torus_add, RUBBER,
        major_radius=1.0, minor_radius=0.17, major_segments=200, minor_segments=48, rotation=ON_WHEEL_AXIS,
    )
    first = None
    for index in range(BLOCKS):
        for row, x in enumerate((-0.09, 0, 0.09)):
            angle = index / BLOCKS * TURN + row % 2 * 0.035
            if first is None:
                part = first = add_block(RUBBER, (0.062, 0.05, 0.04), (0, 0, 0), smooth=False, bevel=0.006)
            else:
                # Copies share one mesh, because 270 meshes take long to create.
                part = first.copy()
                scene.collection.objects.link(part)
            part.location = point_on_circle(1.165 - abs(x) * 0.45, angle, x)
            part.rotation_euler = (angle - math.pi / 2, 0, 0)


def add_rim_and_hub():
    add_ring(0.80, 0.86, 0.20, DARK, bevel=0.012)
    add_ring(0.845, 0.875, 0.235, DARK, bevel=0.01)
    add_ring(0.70, 0.80, 0.06, DARK, bevel=0.01)
    hub = dict(rotation=ON_WHEEL_AXIS)
    add_primitive(primitive.primitive_cylinder_add, DARK, bevel=0.01, radius=0.15, depth=0.24, vertices=64, **hub)
    add_ring(0.12, 0.2, 0.03, STEEL, 0.12)
    add_ring(0.12, 0.2, 0.03, STEEL, -0.12)
    add_primitive(primitive.primitive_cylinder_add, STEEL, bevel=0.008, radius=0.06, depth=0.36, vertices=6, **hub)


def add_spokes():
    for index in range(SPOKES):
        angle = index / SPOKES * TURN
        side = 1 if index % 2 else -1
        # Spokes cross: each leaves the hub before or after its place at the rim.
        lead = 0.42 if (index // 2) % 2 else -0.42
        add_rod(point_on_circle(0.19, angle + lead, side * 0.115), point_on_circle(0.74, angle, side * 0.03), 0.0075, STEEL, 10)
        nipple = EMBER if index % 12 == 0 else STEEL
        add_rod(point_on_circle(0.70, angle, side * 0.035), point_on_circle(0.75, angle, side * 0.028), 0.014, nipple, 8)


def add_brake():
    add_ring(0.33, 0.52, 0.022, DISC, 0.17, bevel=0.003)
    for index in range(HOLES):
        for row, radius in enumerate((0.37, 0.425, 0.48)):
            if (index + row) % 2 == 0:
                add_primitive(
                    primitive.primitive_cylinder_add, BLACK, radius=0.016, depth=0.026, vertices=16,
                    location=point_on_circle(radius, (index + row * 0.33) / HOLES * TURN, 0.17), rotation=ON_WHEEL_AXIS,
                )
    for index in range(8):
        angle = index / 8 * TURN
        add_rod(point_on_circle(0.16, angle, 0.16), point_on_circle(0.34, angle + 0.3, 0.168), 0.018, DARK)
    angle = math.radians(38)
    add_block(BLACK, (0.15, 0.16, 0.34), point_on_circle(0.47, angle, 0.19), (angle, 0, 0), bevel=0.03)
    add_block(EMBER, (0.012, 0.03, 0.16), point_on_circle(0.47, angle, 0.268), (angle, 0, 0), bevel=0.01)


def build_wheel():
    add_tyre()
    add_rim_and_hub()
    add_spokes()
    add_brake()
    for x in (-0.30, 0.30):
        add_rod((x, 0, -0.02), (x, -0.95, 2.2), 0.062, DARK, 48)
        add_rod((x, -0.35, 0.81), (x, -0.95, 2.2), 0.072, STEEL, 48)
    add_primitive(primitive.primitive_plane_add, ASPHALT, smooth=False, size=40, location=(0, 0, -1.185))
    add_light((2.2, 3.2, 1.4), (0, 0, 0), 0.5, 3.5, (1, 0.40, 0.17), 300)
    add_light((0.4, 0.6, 3.4), (0, 0, 0.6), 0.25, 2.6, (1, 0.62, 0.4), 90)
    add_light((2.5, -3.4, 1.2), (0, 0, 0), 0.6, 3, (0.32, 0.46, 1), 150)
    add_light((-3, 0, 1.5), (0, 0, 0), 1, 3, (1, 0.3, 0.1), 130)
    add_camera((4.3, 1.55, 0.10), (0, 0.08, 0.06), 74, f_stop=4, focus=4.3)


# ------------------------------------------------------------------------------------------------------------- lamp


def add_housing():
    shell = [(0, -1.1), (0.35, -1.05), (0.6, -0.85), (0.76, -0.5), (0.82, -0.1), (0.83, 0.05), (0.80, 0.09), (0.77, 0.07), (0.76, 0)]
    add_lathed(shell, DARK)
    add_lathed([(0.76, 0), (0.70, -0.12), (0.6, -0.22), (0.48, -0.24)], BLACK)
    daylight = create_material((1, 0.8, 0.6), roughness=0.4, glow=(1, 0.60, 0.30), strength=3.4)
    add_lathed([(0.722, -0.045), (0.732, -0.02), (0.722, 0), (0.708, -0.03)], daylight)
    for step in range(6):
        radius, depth = 0.66 - 0.03 * step, 0.018 * step
        add_lathed([(radius, -0.13 - depth), (radius - 0.005, -0.11 - depth), (radius - 0.015, -0.135 - depth)], DARK)
    add_block(DARK, (0.02, 1.0, 0.012), (-0.12, 0, 0), bevel=0.006)


def add_lenses():
    filament = create_material((1, 0.8, 0.6), roughness=0.3, glow=(1, 0.70, 0.42), strength=3.2)
    for z in (0.215, -0.215):
        place = (-0.14, 0, z)
        lens = add_primitive(primitive.primitive_uv_sphere_add, create_glass(), radius=0.2, location=place, segments=64, ring_count=32)
        lens.scale = (0.5, 1, 1)
        add_primitive(
            primitive.primitive_torus_add, STEEL,
            major_radius=0.205, minor_radius=0.012, major_segments=96, location=place, rotation=ON_WHEEL_AXIS,
        )
        # One of the two is lit.
        if z > 0:
            add_primitive(
                primitive.primitive_cylinder_add, filament,
                radius=0.07, depth=0.01, vertices=48, location=(-0.28, 0, z), rotation=ON_WHEEL_AXIS,
            )


def add_front(side):
    """Adds fork, handlebar, mirror and indicator of one side: -1 or 1."""
    add_rod((-0.35, side * 0.62, -3), (-0.55, side * 0.62, 1.6), 0.085, DARK, 48)
    add_rod((-0.33, side * 0.62, -0.7), (-0.42, side * 0.62, 0.6), 0.115, BLACK, 48)
    add_rod((-0.6, side * 0.5, 0.98), (-0.7, side * 1.15, 1.18), 0.035, BLACK, 32)
    add_rod((-0.7, side * 1.15, 1.18), (-1.0, side * 1.9, 1.10), 0.035, BLACK, 32)
    add_rod((-0.82, side * 1.45, 1.16), (-1.02, side * 1.95, 1.1), 0.055, RUBBER, 32)
    add_rod((-0.75, side * 1.28, 1.2), (-0.75, side * 1.5, 1.62), 0.014, BLACK)
    mirror = add_primitive(primitive.primitive_uv_sphere_add, BLACK, radius=0.2, location=(-0.75, side * 1.56, 1.7))
    mirror.scale = (0.25, 1, 0.62)
    amber = create_material((1, 0.4, 0.05), roughness=0.2, glow=(1, 0.3, 0.03), strength=0.6)
    add_primitive(primitive.primitive_uv_sphere_add, amber, radius=0.07, location=(-0.3, side * 0.98, 0.06))
    add_rod((-0.35, side * 0.7, 0.06), (-0.3, side * 0.95, 0.06), 0.02, BLACK)


def build_lamp():
    add_housing()
    add_lenses()
    add_front(-1)
    add_front(1)
    add_primitive(
        primitive.primitive_torus_add, RUBBER, major_radius=1.0, minor_radius=0.2, major_segments=160,
        minor_segments=32, location=(-0.9, 0, -2.3), rotation=(math.radians(90), 0, 0),
    )
    add_light((1.2, 3.2, 2.2), (0, 0, 0), 0.4, 4, (1, 0.34, 0.12), 230)
    add_light((0.8, -3.4, 1.6), (0, 0, 0), 0.4, 4, (0.3, 0.45, 1), 85)
    add_light((-0.6, 0, 3.6), (0, 0, 0.5), 3, 0.2, (1, 0.6, 0.38), 70)
    add_light((-3.5, 0, 0.5), (0, 0, 0), 4, 4, (1, 0.28, 0.08), 26)
    add_camera((5.6, 0.42, 0.32), (-0.2, 0, 0.12), 80, f_stop=5, focus=5.6)


set_up_render()
{'wheel': build_wheel, 'lamp': build_lamp}[SUBJECT]()
bpy.ops.render.render(write_still=True)
